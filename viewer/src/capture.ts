// Pictures and films to take away: bodies, title and legend on one canvas, as PNG and WebM. What is shown is the page's.
import * as legend from './legend';
import type { Stage } from './stage';

/** Milliseconds between two frames of a film. */
const BETWEEN = 40;

export class Capture {
  private framed = document.createElement('canvas');
  private film: MediaRecorder | null = null;

  constructor(private stage: Stage, private told: () => legend.Told, private name: () => string) {}

  get filming(): boolean {
    return this.film !== null;
  }

  private compose(): HTMLCanvasElement {
    const { width, height } = this.stage.eye;
    const ratio = Math.min(2, devicePixelRatio || 1);
    this.stage.render();
    const labels = document.createElement('canvas');
    const head = legend.headOf(width);
    legend.draw(labels, width, height + head, ratio, this.told(), true);
    // films want even sizes
    this.framed.width = Math.floor((width * ratio) / 2) * 2;
    this.framed.height = Math.floor(((height + head) * ratio) / 2) * 2;
    const pen = this.framed.getContext('2d')!;
    pen.drawImage(this.stage.canvas, 0, Math.round(head * ratio));
    pen.drawImage(labels, 0, 0);
    return this.framed;
  }

  private save(blob: Blob | null, ending: string): void {
    if (!blob) return;
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = `${this.name()}.${ending}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  screenshot(): void {
    this.compose().toBlob((blob) => this.save(blob, 'png'));
  }

  /** Films the frames from the first on, 25 a second, then saves; a second call ends it early. False where it cannot. */
  async record(count: () => number, show: (index: number) => Promise<void>, recording: (on: boolean) => void): Promise<boolean> {
    if (this.film) {
      this.film.stop();
      return true;
    }
    if (!('MediaRecorder' in window)) return false;
    const stream = this.compose().captureStream(0);
    const [track] = stream.getVideoTracks() as CanvasCaptureMediaStreamTrack[];
    const kind = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'].find((kind) => MediaRecorder.isTypeSupported(kind));
    const film = (this.film = new MediaRecorder(stream, { mimeType: kind, videoBitsPerSecond: 8e6 }));
    const parts: Blob[] = [];
    film.ondataavailable = (event) => parts.push(event.data);
    const done = new Promise((resolve) => { film.onstop = resolve; });
    recording(true);
    film.start();
    const start = performance.now();
    for (let index = 0; index < count() && film.state === 'recording'; index++) {
      await show(index);
      this.compose();
      track.requestFrame();
      await new Promise((resolve) => setTimeout(resolve, Math.max(1, start + BETWEEN * (index + 1) - performance.now())));
    }
    if (film.state === 'recording') film.stop();
    await done;
    this.film = null;
    recording(false);
    this.save(new Blob(parts, { type: 'video/webm' }), 'webm');
    return true;
  }
}
