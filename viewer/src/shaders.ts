// The shaders. Bodies are placed by a texture of poses, so that a frame is one upload, however many bodies it has.

/** What all of them share. */
const COMMON = /* glsl */ `
precision highp float;
precision highp int;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
uniform sampler2D uPose;
uniform sampler2D uColour;
uniform vec2 uSize;      // of the canvas, pixel
uniform float uScale;    // pixel in a metre
uniform int uMode;       // 0 picture, 1 number of the body
uniform int uPass;       // 0 what is solid, 1 what is seen through
uniform vec4 uSection;   // normal and offset; normal 0: none
uniform float uRatio;    // pixels of the device in one of the page
`;

const PLACE = /* glsl */ `
vec3 turn(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
void pose(float body, out vec3 p, out vec4 q) {
  int k = 2 * int(body + 0.5);
  p = texelFetch(uPose, ivec2(k & 1023, k >> 10), 0).xyz;
  q = texelFetch(uPose, ivec2((k + 1) & 1023, (k + 1) >> 10), 0);
}
vec4 tint(float body) {
  int k = int(body + 0.5);
  return texelFetch(uColour, ivec2(k & 1023, k >> 10), 0);
}
// whether this body belongs to the other pass, or is hidden
bool elsewhere(float alpha) { return alpha < 0.01 || (uPass == 0) != (alpha > 0.99); }
`;

const PAINT = /* glsl */ `
out vec4 colour;
vec3 lit(vec3 c, float light) {
  return light <= 1.0 ? mix(c, vec3(0.0784, 0.0784, 0.1098), 1.0 - light) : mix(c, vec3(1.0), light - 1.0);
}
float lamp(vec3 n) { return 0.54 + 0.56 * max(dot(n, vec3(-0.4264, 0.6396, 0.6396)), 0.0); }
vec4 number(float body) {
  int k = int(body + 0.5) + 1;
  return vec4(float(k & 255), float((k >> 8) & 255), float((k >> 16) & 255), 255.0) / 255.0;
}
`;

export const BALL_VERTEX = COMMON + PLACE + /* glsl */ `
in vec2 position;
in float body;
in float radius;
in vec3 local;
out vec2 vCorner;
out vec3 vCentre;
out vec4 vTint;
out vec2 vTurned;
flat out float vBody;
flat out float vRadius;
void main() {
  vec3 p; vec4 q;
  pose(body, p, q);
  vTint = tint(body);
  vBody = body;
  vRadius = radius > 0.0 ? radius : 3.0 / uScale;
  vec4 centre = viewMatrix * vec4(p + turn(q, local), 1.0);
  vCentre = centre.xyz;
  vTurned = turn(q, vec3(1.0, 0.0, 0.0)).xy;
  float grown = 1.0 + 1.5 / (vRadius * uScale);
  vCorner = position * grown;
  gl_Position = projectionMatrix * (centre + vec4(position * grown * vRadius, 0.0, 0.0));
  if (elsewhere(vTint.a)) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`;

/** A disk with its outline and a line that shows how it has turned. */
export const DISK_FRAGMENT = COMMON + PAINT + /* glsl */ `
in vec2 vCorner;
in vec3 vCentre;
in vec4 vTint;
in vec2 vTurned;
flat in float vBody;
flat in float vRadius;
void main() {
  float pixels = vRadius * uScale;
  float away = length(vCorner) * pixels;
  if (uMode == 1) {
    if (away > pixels) discard;
    colour = number(vBody);
    return;
  }
  float wide = clamp(0.09 * pixels, 0.35, 1.3) * uRatio;
  float cover = clamp(pixels - away + 0.5 + 0.5 * wide, 0.0, 1.0);
  float rim = clamp(away - pixels + 0.5 * wide + 0.5, 0.0, 1.0) * min(wide, 1.0);
  vec3 dark = lit(vTint.rgb, 0.55);
  if (pixels > 3.0 * uRatio) {
    vec2 along = normalize(vTurned);
    vec2 at = vCorner * pixels;
    float s = clamp(dot(at, along), 0.0, 0.98 * pixels);
    float line = clamp(0.5 * wide + 0.5 - length(at - s * along), 0.0, 1.0) * min(wide, 1.0);
    rim = max(rim, 0.59 * line);
  }
  colour = vec4(mix(vTint.rgb, dark, rim), cover * vTint.a);
  if (cover <= 0.0) discard;
}`;

/** A sphere, cast by a ray for each pixel. */
export const SPHERE_FRAGMENT = COMMON + PAINT + /* glsl */ `
in vec2 vCorner;
in vec3 vCentre;
in vec4 vTint;
in vec2 vTurned;
flat in float vBody;
flat in float vRadius;
void main() {
  float away = dot(vCorner, vCorner);
  float pixels = vRadius * uScale;
  float cover = clamp((1.0 - sqrt(away)) * pixels + 0.5, 0.0, 1.0);
  if (cover <= 0.0) discard;
  float high = sqrt(max(1.0 - away, 0.0));
  vec3 normal = vec3(vCorner, high);
  vec3 hit = vCentre + vRadius * normal;
  float light = lamp(normal);
  if (dot(uSection.xyz, uSection.xyz) > 0.0) {
    vec3 across = mat3(viewMatrix) * uSection.xyz;
    float offset = uSection.w + dot(across, viewMatrix[3].xyz);
    float over = dot(across, hit) - offset;
    if (over > 0.0) {
      if (abs(across.z) < 1e-5) discard;
      float z = hit.z - over / across.z;
      if (z > hit.z || z < vCentre.z - vRadius * high) discard;
      hit.z = z;
      light = 0.93;
    }
  }
  vec4 clip = projectionMatrix * vec4(hit, 1.0);
  gl_FragDepth = 0.5 * clip.z / clip.w + 0.5;
  colour = uMode == 1 ? number(vBody) : vec4(lit(vTint.rgb, light), cover * vTint.a);
}`;

export const MESH_VERTEX = COMMON + PLACE + /* glsl */ `
in vec3 position;
in vec3 normal;
in float body;
#ifdef MANY
in vec3 local;
in vec4 localTurn;
#endif
#ifdef NODES
in vec4 own;             // the colour of the corner, where it has one
#endif
out vec3 vWorld;
out vec3 vNormal;
out vec4 vTint;
flat out float vBody;
uniform int uFree;       // 1: the corners are in world axes already
void main() {
  vec3 p = vec3(0.0); vec4 q = vec4(0.0, 0.0, 0.0, 1.0);
  if (uFree == 0) pose(body, p, q);
  vec3 corner = position; vec3 outward = normal;
#ifdef MANY
  corner = local + turn(localTurn, corner);
  outward = turn(localTurn, outward);
#endif
  vWorld = p + turn(q, corner);
  vNormal = mat3(viewMatrix) * turn(q, outward);
  vTint = tint(body);
#ifdef NODES
  if (own.a > 0.5) vTint.rgb = own.rgb;
#endif
  vBody = body;
  gl_Position = projectionMatrix * viewMatrix * vec4(vWorld, 1.0);
  if (elsewhere(vTint.a)) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`;

export const MESH_FRAGMENT = COMMON + PAINT + /* glsl */ `
in vec3 vWorld;
in vec3 vNormal;
in vec4 vTint;
flat in float vBody;
uniform int uFlat;
void main() {
  bool cut = dot(uSection.xyz, uSection.xyz) > 0.0;
  if (cut && dot(uSection.xyz, vWorld) > uSection.w) discard;
  if (uMode == 1) { colour = number(vBody); return; }
  vec3 n = normalize(vNormal);
  float light = uFlat == 1 ? 1.0 : gl_FrontFacing ? lamp(n) : cut ? 0.93 : lamp(-n);
  colour = vec4(lit(vTint.rgb, light), vTint.a);
}`;

/** Lines of any width with round ends: edges of bodies, forces, arrows, dots. */
export const LINE_VERTEX = COMMON + PLACE + /* glsl */ `
in vec2 position;        // along 0 … 1, across −1 … 1
in vec3 from;
in vec3 to;
in vec4 paint;           // alpha < 0: a darker shade of the body
in vec4 kind;            // body or −1, width in pixels (negative: size in metres), taper, 1 for world axes
out vec2 vAt;
out vec4 vPaint;
out vec3 vWorld;
flat out vec3 vSpan;     // length, half width, taper
flat out float vBody;
void main() {
  vec3 p = vec3(0.0); vec4 q = vec4(0.0, 0.0, 0.0, 1.0);
  vBody = kind.x;
  vec4 own = vec4(1.0);
  if (kind.x >= 0.0) own = tint(kind.x);
  if (kind.x >= 0.0 && kind.w == 0.0) pose(kind.x, p, q);
  vec3 a3 = p + turn(q, from), b3 = p + turn(q, to);
  vec4 a = projectionMatrix * viewMatrix * vec4(a3, 1.0);
  vec4 b = projectionMatrix * viewMatrix * vec4(b3, 1.0);
  vec2 pa = 0.5 * a.xy * uSize, pb = 0.5 * b.xy * uSize;
  float span = length(pb - pa);
  vec2 along = span > 1e-4 ? (pb - pa) / span : vec2(1.0, 0.0);
  vec2 across = vec2(-along.y, along.x);
  float wide = kind.y >= 0.0 ? kind.y * uRatio : clamp(-0.045 * kind.y * uScale / uRatio, 0.35, 1.3) * uRatio;
  float faint = min(wide, 1.0);
  float halfWide = 0.5 * max(wide, 1.0);
  float room = halfWide + 1.0;
  vec2 at = vec2(mix(-room, span + room, position.x), position.y * room);
  vAt = at;
  vSpan = vec3(span, halfWide, kind.z);
  vWorld = mix(a3, b3, position.x);
  vPaint = paint.a < 0.0 ? vec4(mix(own.rgb, vec3(0.0784, 0.0784, 0.1098), 0.45), own.a < 0.99 ? 0.55 : 1.0) : paint;
  vPaint.a *= faint;
  vec2 pixel = pa + along * at.x + across * at.y;
  float depth = mix(a.z, b.z, position.x) - (kind.x >= 0.0 ? 4e-4 : 0.0);
  gl_Position = vec4(2.0 * pixel / uSize, depth, 1.0);
  if (kind.x >= 0.0 && own.a < 0.01) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`;

export const LINE_FRAGMENT = COMMON + PAINT + /* glsl */ `
in vec2 vAt;
in vec4 vPaint;
in vec3 vWorld;
flat in vec3 vSpan;
flat in float vBody;
uniform int uClip;
void main() {
  if (uClip == 1 && dot(uSection.xyz, uSection.xyz) > 0.0 && dot(uSection.xyz, vWorld) > uSection.w) discard;
  float s = clamp(vAt.x, 0.0, vSpan.x);
  float halfWide = vSpan.y;
  if (vSpan.z > 0.0) halfWide *= 1.0 - s / max(vSpan.x, 1e-3);
  // a head of an arrow begins with a straight side
  float away = vSpan.z > 0.0 && vAt.x < 0.0 ? 1e3 : length(vAt - vec2(s, 0.0));
  float cover = clamp(halfWide - away + 0.5, 0.0, 1.0);
  if (cover <= 0.0) discard;
  if (uMode == 1) { if (vBody < 0.0) discard; colour = number(vBody); return; }
  colour = vec4(vPaint.rgb, vPaint.a * cover);
}`;

export const GROUND_VERTEX = COMMON + /* glsl */ `
in vec2 position;
uniform vec3 uFoot;
uniform vec3 uAlong;
uniform vec3 uDown;
uniform float uReach;
out vec2 vAt;
void main() {
  vAt = position * uReach;
  gl_Position = projectionMatrix * viewMatrix * vec4(uFoot + uAlong * vAt.x + uDown * vAt.y, 1.0);
}`;

/** Solid ground with a hatched edge. */
export const HALF_PLANE_FRAGMENT = COMMON + PAINT + /* glsl */ `
in vec2 vAt;
void main() {
  if (uMode == 1) discard;
  float pixel = uScale / uRatio;
  float depth = vAt.y * pixel, s = vAt.x * pixel;
  if (depth < -1.0) discard;
  float pitch = clamp(uSize.x / uRatio / 96.0, 6.0, 16.0);
  vec3 ground = vec3(0.9216, 0.9059, 0.8784), line = vec3(0.4353, 0.4039, 0.3608);
  float hatch = abs(mod(s + depth, pitch) - 0.5 * pitch);
  hatch = depth < pitch ? clamp(0.45 + 0.7 - (0.5 * pitch - hatch) * 0.7071, 0.0, 1.0) * 0.43 : 0.0;
  float edge = clamp(0.8 + 0.5 - abs(depth), 0.0, 1.0);
  colour = vec4(mix(mix(ground, line, hatch), line, edge), clamp(depth + 1.3, 0.0, 1.0));
}`;

/** A part of a plane in space, which fades. */
export const PLANE_FRAGMENT = COMMON + PAINT + /* glsl */ `
in vec2 vAt;
uniform float uReach;
uniform float uSpacing;
void main() {
  if (uMode == 1) discard;
  float away = length(vAt) / uReach;
  vec2 grid = abs(fract(vAt / uSpacing + 0.5) - 0.5) * uSpacing * uScale / uRatio;
  float line = clamp(1.0 - min(grid.x, grid.y), 0.0, 1.0);
  vec3 ground = mix(vec3(0.9216, 0.9059, 0.8784), vec3(1.0), 0.35);
  float there = 1.0 - smoothstep(0.45, 1.0, away);
  if (there <= 0.004) discard;
  colour = vec4(mix(vec3(1.0), mix(ground, vec3(0.4353, 0.4039, 0.3608), 0.22 * line), there), 0.5);
}`;

export const SCREEN_VERTEX = /* glsl */ `
precision highp float;
in vec2 position;
out vec2 vAt;
void main() { vAt = 0.5 * position + 0.5; gl_Position = vec4(position, 0.0, 1.0); }`;

/** Eye-dome lighting (Boucheny 2009): what lies behind its neighbours on the picture is darker. */
export const SCREEN_FRAGMENT = /* glsl */ `
precision highp float;
in vec2 vAt;
out vec4 colour;
uniform sampler2D uImage;
uniform sampler2D uDepth;
uniform vec2 uPixel;
uniform float uStrength;
void main() {
  vec4 image = texture(uImage, vAt);
  float depth = texture(uDepth, vAt).r;
  float sum = 0.0;
  // the ground, told by its opacity, stays clean: on it the shade would be a halo
  if (depth < 1.0 && image.a > 0.9) {
    for (int k = 0; k < 8; k++) {
      float angle = 0.7854 * float(k);
      vec2 there = vAt + uPixel * (k % 2 == 0 ? 1.5 : 3.0) * vec2(cos(angle), sin(angle));
      sum += clamp((depth - texture(uDepth, there).r) * uStrength, 0.0, 0.6);
    }
  }
  colour = vec4(mix(image.rgb, vec3(0.0784, 0.0784, 0.1098), 0.55 * (1.0 - exp(-0.5 * sum))), 1.0);
}`;
