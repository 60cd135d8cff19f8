"""The tables of a scene file as types, for editors and type checkers.

Made from the schema of the scene file by scripts/python/make_spec.py; not to be changed by hand.
Every one is a plain dict when the program runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypedDict, Union


class _AssemblySpecRequired(TypedDict):
    file: str
    unit: LengthUnit


class AssemblySpec(_AssemblySpecRequired, total=False):
    """Bodies from the blocks of an assembly of COMPAS, or from a list of its meshes, each where the file
    has it; supports of the assembly are held still.

    ``file``: File beside the scene (no default).
    ``treat``: What is made of the blocks; default: "convex".
    ``unit``: What one stands for in the file (no default).
    """

    treat: Treat


class AutoParams(TypedDict, total=False):
    """Parameters of [`Method::Auto`](crate::Method::Auto): when the sweeps hand over to a second-order
    method, how long each method may go on, and what their work is taken to cost.  Rigid contact forces
    are not unique and the way to them picks one, so these numbers are part of a result. The defaults
    were found on packings, walls and towers. All of it is counts, shares and residuals; times are fixed
    figures for a machine of reference, never measured in a run, so that the same scene takes the same
    way on every machine.  The hand-over is the *ski rental* problem: sweeps are the skis rented day by
    day, the factorisations the pair that can be bought, and nobody knows how long the season lasts.
    With a forecast of what is left, who buys after renting for the share λ of the price pays at most 1
    + λ times the best possible where the forecast is right, and 1 + 1/λ times where it is wrong
    (Purohit, Svitkina, Kumar 2018); λ = 1 is the classical bound of 2 (Karlin et al. 1988). λ is
    [`Self::rental_share`].

    ``analysis_margin``: The operator is assembled and analysed once the sweeps, done and forecast, cost
        this many times as much [-].
    ``analysis_ns``: Time to assemble and analyse the operator, for each contact [ns].
    ``balance``: Larger problems are swept beyond the tolerance until forces are in balance to this
        share [-], between 0 and 1; see [`WorkGap`](crate::WorkGap) …
    ``balance_sweeps``: … for no more than so many sweeps [-] …
    ``bold_factorisations``: … and at most so many factorisations each [-].
    ``circle_forecast``: How many times as many sweeps make a circle, see `circle_sweeps` [-].
    ``circle_least``: … but never by less than this [-], greater than 0, at most 1.
    ``circle_relaxation``: Such sweeps are relaxed by this factor [-], greater than 0, at most 1, once
        more each time that they run in circles …
    ``circle_rounds``: Where they have run in circles so often [-], at least 1, a finish is due once
        they do so again, whatever it costs within the work left.
    ``circle_sweeps``: Sweeps of a problem of more than `small` and at most `wave_contacts` contacts
        that after so many are forecast to need `circle_forecast` times as many are taken to run in
        circles [-], at least 1: they go on from the best iterate without momentum and in an order drawn
        for each of them.
    ``cold_start``: Whether a step of more than `small` contacts without any impulse to start from
        begins with those that hold each body, from above to below, by what lies under it.
    ``contact_multiplications``: Multiplications for each contact that go with a factorisation of a
        slender problem or a saved one [-], greater than 0.
    ``crowded``: Contacts with so many times the unknowns of their bodies are crowded [-], at least 1,
        and factored in the space of the bodies however few they are: between themselves it would cost
        the cube of this.
    ``first_handover``: Sweeps before the first thought of handing over [-]: most steps end before.
    ``fixed_point_factorisations``: … and their most factorisations in all, those of what begins at
        their solutions included [-].
    ``fixed_point_problems``: Convex problems, each with De Saxcé's shift as the solution of the last
        one has it, where the plain path comes to a halt or cones are too wide for it [-] …
    ``guess_margin``: A guess whose residual is below this share of the tolerance is left as it is [-],
        between 0 and 1. A sweep over it would mend an error in the velocities by impulses that the next
        step applies again. Used with `polish`; without it a guess within the tolerance is left.
    ``interior_factorisations``: Most factorisations along the plain path of the interior point, which
        takes 15 where it succeeds [-].
    ``lagged_calm``: … which goes no further while the shift changes by more than so many times the root
        of the mean product, the size of what changes from step to step of a path that is followed well
        [-], greater than 0 …
    ``lagged_exact``: … from which the exact path, below its folds, is tried once the mean product is
        less than this [-], greater than 0 …
    ``lagged_factorisations``: … and its most factorisations, those of what begins on its way included
        [-].
    ``lagged_spread``: In a saved problem whose contacts are so many times as compliant as each other
        [-], greater than 0, a path of the interior point whose shift lags one step behind follows on
        the plain one …
    ``lagged_tilts``: Where all came to a halt there, more such paths are followed, with the product of
        each contact weighted by the compliance of the stiffest over its own, to these powers [-], each
        from -1 to 1: above 0 light bodies come before heavy ones, below it after them …
    ``lane_block_ns``: … and of eight blocks of assembled rows beside that, times the square of the
        dimension [ns].
    ``lane_visit_ns``: Time of one visit of a contact in a sweep in lanes, times the dimension [ns].
    ``large``: More contacts than this and a problem is large [-]: the splitting takes the place of the
        interior point, whose path then folds more often than not …
    ``last_call``: Sweeps that are forecast not to reach the tolerance hand over after one in so many of
        the iterations allowed, by `max_iterations` and by the work, whatever the finish costs [-], at
        least 1.
    ``least_factorisations``: … and may take so many factorisations in any case [-].
    ``longest_pause``: … and after no more than so many [-].
    ``mended_factorisations``: … and at most so many factorisations of the proximal point [-].
    ``mended_rounds``: … light bodies are mended before the first and after each of them: so many rounds
        [-] …
    ``mended_sweeps``: … of so many accelerated sweeps [-] …
    ``momentum_kept``: Share of what the momentum of the sweeps has built up that is kept where it is
        dropped [-], from 0 and less than 1: nothing in steps of at most `small` or problems of more
        than `wave_contacts` contacts.
    ``most_contacts``: Most contacts of the second-order solvers and of `admm` [-]: to analyse the
        pattern of more takes longer than it is worth.
    ``most_multiplications``: Most multiplications of one factorisation [-]: about a second.
    ``multiplication_ns``: Time of one multiplication in a factorisation [ns].
    ``near``: Residual below which a long finish begins with the proximal point [-], greater than 0.
    ``near_factorisations``: Most factorisations of that beginning [-].
    ``nearly_done``: Sweeps over a saved problem whose residual has come this share of its way to the
        tolerance, counted in decades, hand over at the full price of a finish, as with a λ of 1 [-],
        greater than 0, at most 1.
    ``overdetermined``: … unless the problem is slender, as towers are: its contacts have at least so
        many times the unknowns of its bodies [-], greater than 0, and a factorisation costs no more
        than `contact_multiplications` for each contact. The interior point then comes first, without
        short tries.
    ``overrun``: A long finish may cost this many times what the sweeps left would [-] …
    ``polish_band``: A guess within this many times `polish_residual` is left as it is [-], at least 1.
        At rest the residual of the guess wanders about what polishing left; without a band every other
        step would be polished again.
    ``polish_factorisations``: Most factorisations of polishing [-]: near the solution a handful is
        usual, or it fails.
    ``polish_gain``: … only while so many make it better by this share [-], between 0 and 1.
    ``polish_multiplications``: Small problems are swept like larger ones instead where a factorisation
        costs more multiplications than this for each contact [-], greater than 0: deformable bodies
        with many contacts, each of which acts on all others. Of one body a third of the cube of its
        unknowns is counted, ports included.
    ``polish_residual``: Residual to which small problems are polished, by factorisations [-], between 0
        and 1.
    ``polish_sweeps``: … and after these [-] …
    ``region_sweeps``: Where forces are out of balance there, see `balance`, impulses are scaled region
        by region at looks so many sweeps [-] or more apart, at least 1 …
    ``regions``: … in about so many regions [-]; 0 for never.
    ``rental_share``: λ of the ski rental: the sweeps hand over once they have cost this share of a
        finish and those forecast would cost more than it [-], greater than 0, at most 1. Large problems
        and short tries take 1.
    ``retry_factor``: After a long finish that failed the next comes after so many times the iterations
        so far [-], at least 2.
    ``scalar_visit_ns``: Time of one visit of a contact in a sweep contact by contact, times the square
        of the dimension [ns].
    ``short_factorisations``: Most factorisations of a short try [-].
    ``short_tries``: Short tries of the proximal point from the sweeps' iterate before the long finish,
        in a run with more than `small` contacts [-].
    ``short_try_pause``: After a short try the next comes after one in so many of the iterations so far
        [-], at least 1 …
    ``shuffled_rounds``: Rounds of sweeps in random order with a bold try of Newton's method after each,
        where cones are too wide for the interior point [-] …
    ``shuffled_sweeps``: … of so many sweeps [-] …
    ``small``: Contacts up to which a problem is small [-]: its factorisations work on the assembled
        operator, unless it is `crowded`, there are no short tries, and polishing is by factorisations.
    ``smooth_factorisations``: Most factorisations along its smooth path, folds included [-].
    ``solutions_per_factorisation``: Solutions with the factors for each of them [-].
    ``span_blocks``: Sparse columns L with `W = L Lᵀ` are looked for in a saved W of so many blocks a
        row on average, or more [-] …
    ``span_exact``: … and give W back to this, relative to its diagonal [-], between 0 and 1.
    ``span_share``: … and the second-order methods factor in their space where their numbers are no more
        than this share of those of W [-], greater than 0, at most 1, …
    ``splitting_factorisations``: Most factorisations of the proximal point after the splitting [-].
    ``splitting_steps``: Steps of the splitting [-].
    ``splitting_steps_large``: Steps of the splitting in large problems [-].
    ``sunk_share``: Share of its cost at which a finish is weighed that polishing would make ready
        anyway [-], greater than 0, at most 1.
    ``tilted_factorisations``: … for so many factorisations each [-]. Where impulses are nearer than
        `near` …
    ``usual_factorisations``: Factorisations that a finish is taken to need [-].
    ``wave_contacts``: In a step of more contacts than this [-] sweeps look out for the long waves that
        carry weight through a packing: few cross a small one …
    ``wave_return``: … momentum is left alone until weight is filled in where impulses are too small by
        this share [-], between 0 and 1; else it is dropped as soon as steps grow …
    ``wave_sweeps``: … and for at least so many sweeps after that [-], at least 1. It is dropped as well
        where the mean residual has not become less for as many.
    ``work_first``: The last two are multiplied with this while less than five steps are known [-], at
        least 1: what starts without impulses takes longer.
    ``work_floor``: … and as much as so many visits to contacts in any case [-], a few seconds …
    ``work_limit``: A step may cost so many times the median of the last thirty-one before its best
        iterate is taken [-], at least 1, or twice what the last one cost: where many steps are hard
        none of them is cut short for long. Work is counted in sweeps for each contact, factorisations
        by what they are taken to cost. Holds in runs, for problems of more than `small` contacts.
    ``work_sweeps``: … or so many sweeps where these are more [-], at least 1.
    """

    analysis_margin: float
    analysis_ns: float
    balance: float
    balance_sweeps: int
    bold_factorisations: int
    circle_forecast: float
    circle_least: float
    circle_relaxation: float
    circle_rounds: int
    circle_sweeps: int
    cold_start: bool
    contact_multiplications: float
    crowded: int
    first_handover: int
    fixed_point_factorisations: int
    fixed_point_problems: int
    guess_margin: float
    interior_factorisations: int
    lagged_calm: float
    lagged_exact: float
    lagged_factorisations: int
    lagged_spread: float
    lagged_tilts: Sequence[float]
    lane_block_ns: float
    lane_visit_ns: float
    large: int
    last_call: int
    least_factorisations: int
    longest_pause: int
    mended_factorisations: int
    mended_rounds: int
    mended_sweeps: int
    momentum_kept: float
    most_contacts: int
    most_multiplications: float
    multiplication_ns: float
    near: float
    near_factorisations: int
    nearly_done: float
    overdetermined: float
    overrun: float
    polish_band: float
    polish_factorisations: int
    polish_gain: float
    polish_multiplications: float
    polish_residual: float
    polish_sweeps: int
    region_sweeps: int
    regions: int
    rental_share: float
    retry_factor: int
    scalar_visit_ns: float
    short_factorisations: int
    short_tries: int
    short_try_pause: int
    shuffled_rounds: int
    shuffled_sweeps: int
    small: int
    smooth_factorisations: int
    solutions_per_factorisation: float
    span_blocks: int
    span_exact: float
    span_share: float
    splitting_factorisations: int
    splitting_steps: int
    splitting_steps_large: int
    sunk_share: float
    tilted_factorisations: int
    usual_factorisations: float
    wave_contacts: int
    wave_return: float
    wave_sweeps: int
    work_first: float
    work_floor: float
    work_limit: float
    work_sweeps: int


class _BilinearSpecRequired(TypedDict):
    friction: float
    normal_energy: float
    normal_stiffness: float
    normal_strength: float
    tangential_energy: float
    tangential_strength: float


class BilinearSpec(_BilinearSpecRequired, total=False):
    """Cohesive zone along two straight lines.

    ``friction``: Coefficient of Coulomb friction of the broken bond [-], at least 0 (no default).
    ``normal_energy``: Energy in opening [J/m²], greater than 0 (no default).
    ``normal_stiffness``: Stiffness in tension [Pa/m], greater than the square of the strength over
        twice the energy (no default).
    ``normal_strength``: Strength in tension [Pa], greater than 0 (no default).
    ``point_area``: Area of contacts that touch at a single point [m²], at least 0: without it they are
        not bonded.
    ``relaxation``: Time over which damage follows the opening [s], at least 0.
    ``tangential_energy``: Energy in sliding [J/m²], greater than 0 (no default).
    ``tangential_strength``: Strength in shear [Pa], greater than 0 (no default).
    """

    point_area: float
    relaxation: float


class _BodySpecRequired(TypedDict):
    name: str
    shape: ShapeRef


class BodySpec(_BodySpecRequired, total=False):
    """One body.

    ``angle``: In 2D, angle of the shape [rad]; default: 0.
    ``angle_degrees``: In 2D, the same in degrees [°]; default: 0.
    ``deform``: How the body deforms; default: not at all.
    ``density``: Density [kg/m³]; default: none. In 2D the depth is one metre.
    ``drive``: Prescribed components of the velocity; default: none.
    ``fixed``: Whether the body is held still; default: false.
    ``group``: Group, for laws.
    ``gyroscopic``: Treatment of the gyroscopic moment; default: implicit in 3D unless the inertia is
        the same about all axes, omitted otherwise.
    ``inertia``: Moment of inertia about the centre of mass [kg m²], only with `mass`: a number in 2D;
        in 3D three about the shape's axes, which are then principal, or the tensor in the shape's axes
        as three rows of three numbers; default: that of the shape, scaled to the mass.
    ``load``: Given force and moment, gravity apart; default: none.
    ``mass``: Mass [kg], whatever the shape; default: from the density.
    ``material``: Name of a material; default: none, and one of density and mass instead.
    ``name``: Name, different from that of every other body (no default).
    ``orientation_wxyz``: In 3D, the same as a unit quaternion, scalar part first [-]; default: [1, 0,
        0, 0].
    ``position``: Where the origin of the shape goes [m]; default: the origin.
    ``rotation``: In 3D, rotation of the shape; default: none.
    ``shape``: Name of a shape, or the shape itself, such as `disk.radius = 0.1` (no default).
    ``spin``: Spin [rad/s]: a number in 2D, in 3D three about the shape's axes; default: 0.
    ``velocity``: Velocity of the centre of mass [m/s]; default: 0.
    """

    angle: float
    angle_degrees: float
    deform: DeformSpec
    density: float
    drive: Drive
    fixed: bool
    group: str
    gyroscopic: Gyroscopic
    inertia: Inertia
    load: Load
    mass: float
    material: str
    orientation_wxyz: Sequence[float]
    position: Sequence[float]
    rotation: Rotation
    spin: Components
    velocity: Sequence[float]


class _CapillaryRequired(TypedDict):
    force: float
    friction: float
    rupture: float


class Capillary(_CapillaryRequired, total=False):
    """Liquid bridges.

    ``decay``: Length λ over which the attraction decays [m]; default: it does not.
    ``force``: Attraction F of bodies that touch [N], at least 0 (no default).
    ``friction``: Coefficient of Coulomb friction μ [-], at least 0 (no default).
    ``rupture``: Distance at which a bridge breaks [m], greater than 0 (no default).
    """

    decay: float


class CapitalSpec(TypedDict):
    """What a column ends in.

    ``height``: Height [m], greater than 0 (no default).
    ``width``: Side of its slab [m], at least twice the radius at the top (no default).
    """

    height: float
    width: float


class CellSpec(TypedDict, total=False):
    """A periodic cell: what leaves it on one side comes in on the other.

    ``origin``: Lowest corner of the cell in pictures and output [m]; default: the origin.
    ``x``: Period along x [m], greater than 0; default: the cell does not repeat along x.
    ``y``: Period along y [m], in 3D, greater than 0; default: the cell does not repeat along y.
    """

    origin: Sequence[float]
    x: float
    y: float


class CohesionSpec(TypedDict):
    """Cohesion between two groups that changes in time.

    ``between``: The two groups (no default); "*" stands for any group.
    ``factor``: What share of the strengths and attractions of their law acts [-] (no default).
    """

    between: Sequence[str]
    factor: SignalSpec


class CurveSpec(TypedDict, total=False):
    """Points of time and value: one of `table`, `file` and `accelerogram` must be given.

    ``accelerogram``: A record of the acceleration of the ground, relative to the scene: a file of the
        PEER data base (`.AT2`) or a CSV file of times and accelerations; default: none.
    ``after``: What comes after the last point; default: to be given where the run goes on longer, and
        `"zero"` for an accelerogram.
    ``baseline``: What is taken off an accelerogram so that the ground comes to rest.
    ``column``: Which column of a CSV file holds the values, counted from 1, the times being the first
        [-].
    ``file``: A CSV file of times and values, relative to the scene; default: none.
    ``interpolation``: What lies between two points.
    ``scale``: Factor of all values [-].
    ``table``: Points of time [s] and value, times increasing; default: from `file` or `accelerogram`.
    ``unit``: Unit of an accelerogram; default: `"g"` for `.AT2`, to be given for CSV.
    """

    accelerogram: str
    after: AfterEnd
    baseline: Baseline
    column: int
    file: str
    interpolation: Interpolation
    scale: float
    table: Sequence[Sequence[float]]
    unit: AccelerationUnit


class DeformSpec(TypedDict, total=False):
    """How a body deforms: its shape is filled with finite elements of its material, which needs `young`
    and `poisson`. Shapes: disk, box, polygon, rounded_rectangle and capsule in 2D, box, cylinder,
    sphere, capsule and polyhedron in 3D, elements of a file in both.

    ``element``: Kind of the elements: T3, T6, Q4, Q8 in 2D, TE4, TE10, H8, H20, PRI6, PRI15 in 3D;
        default: in 2D "T3", of a box "Q4", in 3D "H8", of a polyhedron "TE4".
    ``hold``: Groups of nodes that are held or driven; default: none, and the body is free.
    ``integration``: How the stiffness is integrated; default: "full".
    ``load``: Loads on groups of faces; default: none.
    ``mass``: How the mass of an element is shared by its nodes; default: "consistent".
    ``plane``: In 2D, whether the body is a slice of a long one, a thin plate, or the section of a body
        of revolution; default: "strain".
    ``quasi_static``: Whether its deformation has no inertia, so that forces are in balance at the end
        of every step; a rigid motion keeps its inertia; default: false.
    ``self_contact``: Whether its skin may touch itself, as the body folds; default: false, and its
        facets pass through each other.
    ``size``: Size of the elements [m], about, greater than 0; no default, and none at all for a shape
        of elements.
    ``temperature``: How much warmer it is than where it has no stress [K], for the whole run; default:
        0. Its material needs `expansion`.
    """

    element: ElementName
    hold: Sequence["HoldSpec"]
    integration: IntegrationName
    load: Sequence["FaceLoadSpec"]
    mass: MassName
    plane: PlaneName
    quasi_static: bool
    self_contact: bool
    size: float
    temperature: float


class Detection(TypedDict, total=False):
    """How contacts are found.

    ``alert``: Distance below which two bodies are looked at closely, relative to the radius of the
        smaller [-].
    ``grazing``: Depth that bodies may reach in passing each other, relative to the radius of the
        smaller [-], from 0 to 0.01: contacts where they meet no deeper are left out, so that joints
        between flush neighbours stop nothing. 0 leaves none out.
    ``patch_points``: In space, most points of the patch where two flat faces meet [-], at least 4;
        default: all its corners.
    ``skin``: How far the search for near pairs reaches ahead, relative to the radius of each shape [-],
        from 0 to 10: pairs are then kept until one of them has moved by half of it. Contacts are the
        same. 0 looks for pairs at every step; not with a periodic cell.
    ``sliding``: Way in a step up to which a contact counts as not sliding, relative to the radius of
        the smaller body [-], from 0 to 1e-3; what the residual of the solver explains comes on top.
    ``touching``: Gap up to which bodies count as touching, relative to the radius of the smaller [-],
        from 0 to 1e-3.
    """

    alert: float
    grazing: float
    patch_points: int
    skin: float
    sliding: float
    touching: float


class Drive(TypedDict, total=False):
    """Prescribed velocity, component by component: x, y, spin in 2D; x, y, z, spin_x, spin_y, spin_z in
    3D.

    ``spin``: Spin [rad/s], in 2D; default: free.
    ``spin_x``: Spin about the shape's x axis [rad/s], in 3D; default: free.
    ``spin_y``: Spin about the shape's y axis [rad/s], in 3D; default: free.
    ``spin_z``: Spin about the shape's z axis [rad/s], in 3D; default: free.
    ``x``: Velocity along x [m/s]; default: free.
    ``y``: Velocity along y [m/s]; default: free.
    ``z``: Velocity along z [m/s], in 3D; default: free.
    """

    spin: float
    spin_x: float
    spin_y: float
    spin_z: float
    x: float
    y: float
    z: float


class _DriveSpecRequired(TypedDict):
    on: NamesSpec


class DriveSpec(_DriveSpecRequired, total=False):
    """A motion that changes in time, over what the body itself says: a body that is fixed stays so
    otherwise.

    ``on``: Name of a body or a group, or several of them (no default).
    ``prescribes``: What the signals are.
    ``spin``: About the centre of mass [rad/s], [rad], in 2D; default: as before.
    ``spin_x``: About the shape's x axis [rad/s], [rad], in 3D; default: as before.
    ``spin_y``: About the shape's y axis [rad/s], [rad], in 3D; default: as before.
    ``spin_z``: About the shape's z axis [rad/s], [rad], in 3D; default: as before.
    ``x``: Along x [m/s], [m]; default: as before.
    ``y``: Along y [m/s], [m]; default: as before.
    ``z``: Along z [m/s], [m], in 3D; default: as before.
    """

    prescribes: DriveKind
    spin: SignalSpec
    spin_x: SignalSpec
    spin_y: SignalSpec
    spin_z: SignalSpec
    x: SignalSpec
    y: SignalSpec
    z: SignalSpec


class ElementGroupSpec(TypedDict, total=False):
    """A group of nodes and faces.

    ``faces``: Its faces, each by its corners; default: none.
    ``nodes``: Its nodes, numbered from 0, those of its faces apart; default: none.
    """

    faces: Sequence[Sequence[int]]
    nodes: Sequence[int]


class ElementListSpec(TypedDict):
    """Elements of one kind.

    ``kind``: Kind of the elements (no default).
    ``nodes``: Nodes of each element, numbered from 0, in the order of VTK (no default).
    """

    kind: ElementName
    nodes: Sequence[Sequence[int]]


class ElementsSpec(TypedDict, total=False):
    """A solid of finite elements: a file with its unit, or nodes, elements and groups. A scene that was
    read has both, and the file is then only a note of where they came from.

    ``elements``: Elements, kind by kind; default: from the file.
    ``file``: File beside the scene: .msh (gmsh 2.2, 4.1), .vtu or .inp (Abaqus); default: none, and
        nodes and elements instead.
    ``groups``: Groups by name, for deform.hold and deform.load; default: those of the file.
    ``nodes``: Nodes [m]; default: from the file.
    ``unit``: What one stands for in the file; default: none, and it must be given with a file.
    """

    elements: Sequence["ElementListSpec"]
    file: str
    groups: Mapping[str, "ElementGroupSpec"]
    nodes: Sequence[Sequence[float]]
    unit: LengthUnit


class Equilibrium(TypedDict, total=False):
    """The run ends early once every body has been slower than `speed` for `steps` steps.

    ``speed``: Speed below which a body counts as still [m/s]; spin counts times the body's radius.
    ``steps``: For how many steps in a row [-], at least 1.
    """

    speed: float
    steps: int


class _ExponentialSpecRequired(TypedDict):
    energy: float
    friction: float
    strength: float


class ExponentialSpec(_ExponentialSpecRequired, total=False):
    """Cohesive zone with a smooth curve.

    ``energy``: Energy [J/m²], greater than 0 (no default).
    ``friction``: Coefficient of Coulomb friction of the broken bond [-], at least 0 (no default).
    ``point_area``: Area of contacts that touch at a single point [m²], at least 0: without it they are
        not bonded.
    ``relaxation``: Time over which damage follows the opening [s], at least 0.
    ``shear_ratio``: Strength in shear relative to that in tension [-], greater than 0.
    ``strength``: Strength in tension [Pa], greater than 0 (no default).
    """

    point_area: float
    relaxation: float
    shear_ratio: float


class _FaceLoadSpecRequired(TypedDict):
    group: str


class FaceLoadSpec(_FaceLoadSpecRequired, total=False):
    """A load on faces.

    ``force``: Force that its faces share by their areas [N], a signal for each axis of the world;
        default: 0.
    ``group``: Name of the group (no default).
    ``pressure``: Pressure on its faces [Pa], a signal, positive inwards, turning with the body;
        default: 0.
    """

    force: Sequence["SignalSpec"]
    pressure: SignalSpec


class _ForceSpecRequired(TypedDict):
    between: Sequence[str]
    force: Sequence[float]


class ForceSpec(_ForceSpecRequired, total=False):
    """A contact force that is known, from which the first step starts: from another program or an earlier
    run.

    ``at``: Where it acts [m]; default: all contacts of the two bodies share it.
    ``between``: Names of the two bodies (no default).
    ``force``: Force on the first of them, in world axes [N] (no default).
    """

    at: Sequence[float]


class FormSpecBallTable(TypedDict, total=False):
    """A table."""


class FormSpecBall(TypedDict):
    """The disk or sphere itself.

    ``ball``:
    """

    ball: FormSpecBallTable


class FormSpecRegularPolygonSides(TypedDict):
    """A table.

    ``sides``: Number of sides, from 3 (no default).
    """

    sides: int


class FormSpecRegularPolygon(TypedDict):
    """Regular polygon, in 2D.

    ``regular_polygon``:
    """

    regular_polygon: FormSpecRegularPolygonSides


class _FormSpecRandomPolygonTableRequired(TypedDict):
    fewest: int
    most: int


class FormSpecRandomPolygonTable(_FormSpecRandomPolygonTableRequired, total=False):
    """A table.

    ``fewest``: Fewest sides, from 3 (no default).
    ``irregularity``: From 0, all sides alike, to 1 [-]; default: 0.5.
    ``most``: Most sides (no default).
    """

    irregularity: float


class FormSpecRandomPolygon(TypedDict):
    """Polygon with its corners at random places of the circle, in 2D.

    ``random_polygon``:
    """

    random_polygon: FormSpecRandomPolygonTable


class _FormSpecStarTableRequired(TypedDict):
    points: int


class FormSpecStarTable(_FormSpecStarTableRequired, total=False):
    """A table.

    ``inner``: Radius of the inner corners relative to that of the points [-], from 0.05 to 0.95;
        default: 0.4.
    ``points``: Number of points, from 3 (no default).
    """

    inner: float


class FormSpecStar(TypedDict):
    """Star, in 2D.

    ``star``:
    """

    star: FormSpecStarTable


class _FormSpecFlakeTableRequired(TypedDict):
    arms: int


class FormSpecFlakeTable(_FormSpecFlakeTableRequired, total=False):
    """A table.

    ``arms``: Number of arms, from 2 (no default).
    ``width``: Width of an arm relative to the radius [-], from 0.01 to 1; default: 0.25.
    """

    width: float


class FormSpecFlake(TypedDict):
    """Arms with round ends, in 2D.

    ``flake``:
    """

    flake: FormSpecFlakeTable


class _FormSpecPolyhedronTableRequired(TypedDict):
    faces: int


class FormSpecPolyhedronTable(_FormSpecPolyhedronTableRequired, total=False):
    """A table.

    ``angularity``: From 0, faces evenly spread, to 1, anyhow [-]; default: 0.3.
    ``elongation``: Length over width [-], from 1 to 20; default: 1.
    ``faces``: Number of faces, from 4 to 100 (no default).
    """

    angularity: float
    elongation: float


class FormSpecPolyhedron(TypedDict):
    """Random convex polyhedron, in 3D.

    ``polyhedron``:
    """

    polyhedron: FormSpecPolyhedronTable


class _FormSpecClumpTableRequired(TypedDict):
    balls: int


class FormSpecClumpTable(_FormSpecClumpTableRequired, total=False):
    """A table.

    ``balls``: Number of balls, from 2 (no default).
    ``size``: Their radius relative to that of the whole [-], from 0.05 to 0.95; default: 0.5.
    """

    size: float


class FormSpecClump(TypedDict):
    """Balls grown into each other.

    ``clump``:
    """

    clump: FormSpecClumpTable


class _FormSpecMeshesTableRequired(TypedDict):
    files: Sequence[str]


class FormSpecMeshesTable(_FormSpecMeshesTableRequired, total=False):
    """A table.

    ``files``: Files beside the scene (no default).
    ``treat``: What is made of the meshes; default: "convex".
    """

    treat: Treat


class FormSpecMeshes(TypedDict):
    """One of several meshes at random, in 3D, scaled about its centre.

    ``meshes``:
    """

    meshes: FormSpecMeshesTable


class FrictionSpec(TypedDict):
    """Friction between two groups that changes in time.

    ``between``: The two groups (no default); "*" stands for any group.
    ``value``: The coefficient [-] (no default).
    """

    between: Sequence[str]
    value: SignalSpec


class _GrainsSpecRequired(TypedDict):
    packing: PackingSpec
    region: RegionSpec
    sizes: SizesSpec


class GrainsSpec(_GrainsSpecRequired, total=False):
    """Grains in a region.

    ``count``: Number of grains; default: from solid_fraction, else as many as fit.
    ``deform``: How every grain deforms, of disks; default: not at all.
    ``form``: Shape in the place of every circle or sphere; default: the disk or sphere itself.
    ``packing``: How they find their places (no default).
    ``region``: Where they go (no default).
    ``sizes``: Radii of the grains, or of the circles or spheres around them (no default).
    ``solid_fraction``: Share of the region that circles or spheres fill [-]; default: from count, else
        as many as fit.
    """

    count: int
    deform: DeformSpec
    form: FormSpec
    solid_fraction: float


class GravitySpec(TypedDict, total=False):
    """Components of gravity that change in time.

    ``x``: Along x [m/s²]; default: as before.
    ``y``: Along y [m/s²]; default: as before.
    ``z``: Along z [m/s²], in 3D; default: as before.
    """

    x: SignalSpec
    y: SignalSpec
    z: SignalSpec


class _GrowthSpecRequired(TypedDict):
    factor: SignalSpec
    on: NamesSpec


class GrowthSpec(_GrowthSpecRequired, total=False):
    """Bodies that grow or shrink in time, each about its centre of mass, all its lengths alike: radii of a
    sample that is brought to a solid fraction, grains that swell. Contacts know how fast surfaces move,
    so that bodies push each other away and do not come to overlap.

    ``factor``: Lengths over those they had as the growth begins [-]: 1 at t = 0 and above 0 later (no
        default).
    ``keeps``: What a body keeps meanwhile: "density", so that its mass grows with its volume, or
        "mass".
    ``on``: Name of a body or a group, or several of them (no default).
    """

    keeps: GrowthKeeps


class HeightFieldSpec(TypedDict, total=False):
    """Heights over a grid: an ESRI file with its unit, or columns, spacing and heights. A scene that was
    read has both, and the file is then only a note of where they came from.

    ``columns``: Number of heights along x; default: from the file.
    ``file``: File beside the scene, .asc; default: none, and columns, spacing and heights instead.
    ``heights``: Heights [m], row by row from smallest y, each from smallest x; default: from the file.
    ``origin``: Where the first height is, x and y [m]; default: as in the file, else 0.
    ``spacing``: Distance between neighbours [m]; default: from the file.
    ``unit``: What one stands for in the file; default: none, and it must be given with a file.
    """

    columns: int
    file: str
    heights: Sequence[float]
    origin: Sequence[float]
    spacing: float
    unit: LengthUnit


class _HoldSpecRequired(TypedDict):
    group: str


class HoldSpec(_HoldSpecRequired, total=False):
    """Nodes that are held or driven.

    ``axes``: Axes of the world along which it is held, of "x", "y", "z"; default: all.
    ``displacement``: Displacement with which it is driven along them [m], from where it begins, a
        signal for each axis of the world, instead of velocity; default: by velocity.
    ``group``: Name of the group: left, right, bottom, top of a box in 2D, with front and back in 3D,
        rim of a disk, bottom, top, mantle of a cylinder, those of the file of elements, see the book
        for other shapes (no default).
    ``velocity``: Velocity with which it is driven along them [m/s], a signal for each axis of the
        world, as every step ends; default: 0.
    """

    axes: Sequence[str]
    displacement: Sequence["SignalSpec"]
    velocity: Sequence["SignalSpec"]


class Inelastic(TypedDict):
    """Contact without rebound.

    ``friction``: Coefficient of Coulomb friction μ [-], at least 0 (no default).
    """

    friction: float


class _JointSetSpecRequired(TypedDict):
    dip: float
    spacing: float


class JointSetSpec(_JointSetSpecRequired, total=False):
    """A set of joints.

    ``dip``: Angle below the horizontal [°], from −90 to 90; in 2D falling towards +x where it is
        positive (no default).
    ``dip_direction``: In 3D, the direction in which they fall [°], clockwise from +y seen from above;
        default: 0.
    ``first``: Distance of the first joint from the lowest point of the rock along the normal [m];
        default: half of the spacing.
    ``orientation_scatter``: Standard deviation of the orientation [°], from 0 to 90; default: 0.
    ``persistence``: Share of the blocks in its way that a joint cuts [-], from 0 to 1; default: 1.
    ``spacing``: Distance between neighbours along their normal [m], greater than 0 (no default).
    ``spacing_scatter``: Standard deviation of the spacing relative to it [-], from 0 to 1; default: 0.
    """

    dip_direction: float
    first: float
    orientation_scatter: float
    persistence: float
    spacing_scatter: float


class _LawSpecRequired(TypedDict):
    between: Sequence[str]


class LawSpec(_LawSpecRequired, total=False):
    """The law between two groups: exactly one of its tables must be given.

    ``between``: The two groups (no default); "*" stands for any group, and a pair without it wins over
        a pair with it.
    ``bilinear``: Cohesive zone with a rise and a fall along straight lines; default: not this law.
    ``capillary``: Liquid bridges; default: not this law.
    ``exponential``: Cohesive zone with a smooth curve; default: not this law.
    ``inelastic``: No rebound, with Coulomb friction; default: not this law.
    ``mac``: Cohesive zone with the adhesion of Monerie, Acary and Cangémi; default: not this law.
    ``mohr_coulomb``: Rigid bonds with a strength, lost for good; default: not this law.
    ``none``: They pass through each other; default: not this.
    ``orowan``: No rebound, with friction that grows no more beyond a normal force; default: not this
        law.
    ``percussion``: Percussions from pseudopotentials of dissipation, the laws of A-CD²; default: not
        this law.
    ``poisson``: Poisson's restitution in two phases, which never gains energy, with Coulomb friction;
        default: not this law.
    ``restitution``: Moreau's restitution, with Coulomb friction; default: not this law.
    ``rolling``: Resistance to sliding, rolling and twisting; default: not this law.
    ``trapezoidal``: Cohesive zone with a rise, a level and a fall along straight lines; default: not
        this law.
    ``tresca``: No rebound, with friction of a given threshold; default: not this law.
    ``unilateral``: No rebound, with a gap to count from, at the level of velocities or positions, and
        friction that may vary; default: not this law.
    ``viscoelastic``: Springs and dashpots, with Coulomb friction; default: not this law.
    """

    bilinear: BilinearSpec
    capillary: Capillary
    exponential: ExponentialSpec
    inelastic: Inelastic
    mac: MacSpec
    mohr_coulomb: MohrCoulomb
    none: NoneSpec
    orowan: Orowan
    percussion: PercussionSpec
    poisson: Poisson
    restitution: Restitution
    rolling: Rolling
    trapezoidal: TrapezoidalSpec
    tresca: Tresca
    unilateral: UnilateralSpec
    viscoelastic: ViscoelasticSpec


class Load(TypedDict, total=False):
    """Given force and moment in world axes: x, y, moment in 2D; x, y, z, moment_x, moment_y, moment_z in
    3D.

    ``moment``: Moment about the centre of mass [N m], in 2D; default: 0.
    ``moment_x``: Moment about the world's x axis through the centre of mass [N m], in 3D; default: 0.
    ``moment_y``: Moment about the world's y axis through the centre of mass [N m], in 3D; default: 0.
    ``moment_z``: Moment about the world's z axis through the centre of mass [N m], in 3D; default: 0.
    ``x``: Force along x [N]; default: 0.
    ``y``: Force along y [N]; default: 0.
    ``z``: Force along z [N], in 3D; default: 0.
    """

    moment: float
    moment_x: float
    moment_y: float
    moment_z: float
    x: float
    y: float
    z: float


class _LoadSpecRequired(TypedDict):
    on: NamesSpec


class LoadSpec(_LoadSpecRequired, total=False):
    """A force and a moment that change in time, in world axes, over those of the body itself.

    ``moment``: Moment about the centre of mass [N m], in 2D; default: as before.
    ``moment_x``: Moment about the world's x axis [N m], in 3D; default: as before.
    ``moment_y``: Moment about the world's y axis [N m], in 3D; default: as before.
    ``moment_z``: Moment about the world's z axis [N m], in 3D; default: as before.
    ``on``: Name of a body or a group, or several of them (no default).
    ``x``: Force along x [N]; default: as before.
    ``y``: Force along y [N]; default: as before.
    ``z``: Force along z [N], in 3D; default: as before.
    """

    moment: SignalSpec
    moment_x: SignalSpec
    moment_y: SignalSpec
    moment_z: SignalSpec
    x: SignalSpec
    y: SignalSpec
    z: SignalSpec


class _MacSpecRequired(TypedDict):
    energy: float
    friction: float
    normal_stiffness: float
    tangential_stiffness: float


class MacSpec(_MacSpecRequired, total=False):
    """Cohesive zone with an intensity of adhesion.

    ``energy``: Energy of decohesion [J/m²], greater than 0 (no default).
    ``friction``: Coefficient of Coulomb friction of the broken bond [-], at least 0 (no default).
    ``normal_stiffness``: Stiffness in tension [Pa/m], greater than 0 (no default).
    ``point_area``: Area of contacts that touch at a single point [m²], at least 0: without it they are
        not bonded.
    ``tangential_stiffness``: Stiffness in shear [Pa/m], greater than 0 (no default).
    ``viscosity``: Viscosity of the adhesion [J s/m²], at least 0.
    """

    point_area: float
    viscosity: float


class _MasonrySpecWallTableRequired(TypedDict):
    course_height: float
    courses: int
    length: float
    stone_length: float


class MasonrySpecWallTable(_MasonrySpecWallTableRequired, total=False):
    """A table.

    ``bond``: Bond; default: "running".
    ``course_height``: Height of a course [m] (no default).
    ``courses``: Number of courses (no default).
    ``length``: Length [m] (no default).
    ``openings``: Openings; default: none.
    ``stone_length``: Length of a stretcher [m] (no default).
    ``thickness``: In 3D, thickness [m] (no default there).
    """

    bond: BondSpec
    openings: Sequence["OpeningSpec"]
    thickness: float


class MasonrySpecWall(TypedDict):
    """Straight wall along x from the origin; in 2D its front.

    ``wall``:
    """

    wall: MasonrySpecWallTable


class _MasonrySpecTwoLeavesTableRequired(TypedDict):
    course_height: float
    courses: int
    thickness: float


class MasonrySpecTwoLeavesTable(_MasonrySpecTwoLeavesTableRequired, total=False):
    """A table.

    ``bond_courses``: Every so many courses have bond stones; default: 0, none has.
    ``bond_stones``: In 3D, every so many stones of such a course is one; default: 1.
    ``course_height``: Height of a course [m] (no default).
    ``courses``: Number of courses (no default).
    ``length``: In 3D, length [m] (no default there).
    ``stone_length``: In 3D, length of a stone [m] (no default there).
    ``thickness``: Thickness of both leaves together [m] (no default).
    """

    bond_courses: int
    bond_stones: int
    length: float
    stone_length: float


class MasonrySpecTwoLeaves(TypedDict):
    """Wall of two leaves with bond stones through both; in 2D its cross-section.

    ``two_leaves``:
    """

    two_leaves: MasonrySpecTwoLeavesTable


class _MasonrySpecArchTableRequired(TypedDict):
    span: float
    voussoirs: int


class MasonrySpecArchTable(_MasonrySpecArchTableRequired, total=False):
    """A table.

    ``depth``: In 3D, depth along y [m] (no default there).
    ``rise``: Height of the intrados above the springings [m]: half of the span is a semicircle, less a
        segment, more a pointed arch; default: half of the span.
    ``span``: Clear span of the intrados [m] (no default).
    ``thickness``: Thickness across the ring [m]; default: from thickness_ratio.
    ``thickness_ratio``: Thickness over the mean radius [-]; default: from thickness.
    ``voussoirs``: Number of voussoirs, even in a pointed arch (no default).
    """

    depth: float
    rise: float
    thickness: float
    thickness_ratio: float


class MasonrySpecArch(TypedDict):
    """Arch over x, its springings at height 0, its middle at the origin.

    ``arch``:
    """

    arch: MasonrySpecArchTable


class _MasonrySpecBarrelVaultTableRequired(TypedDict):
    length: float
    span: float
    stones: int
    thickness: float
    voussoirs: int


class MasonrySpecBarrelVaultTable(_MasonrySpecBarrelVaultTableRequired, total=False):
    """A table.

    ``length``: Length along y [m] (no default).
    ``rise``: Height of the intrados above the springings [m]; default: half of the span.
    ``span``: Clear span [m] (no default).
    ``stones``: Number of stones along y (no default).
    ``thickness``: Thickness [m] (no default).
    ``voussoirs``: Number of voussoirs (no default).
    """

    rise: float


class MasonrySpecBarrelVault(TypedDict):
    """Barrel vault along y, in 3D.

    ``barrel_vault``:
    """

    barrel_vault: MasonrySpecBarrelVaultTable


class _MasonrySpecCrossVaultTableRequired(TypedDict):
    span: float
    stone_length: float
    thickness: float
    voussoirs: int


class MasonrySpecCrossVaultTable(_MasonrySpecCrossVaultTableRequired, total=False):
    """A table.

    ``margin``: How far the barrels reach beyond the springings [m]; default: the thickness.
    ``rise``: Height of the intrados above the springings [m]; default: half of the span.
    ``span``: Clear span of both barrels [m] (no default).
    ``stone_length``: Length of a stone along the barrels [m] (no default).
    ``thickness``: Thickness [m] (no default).
    ``voussoirs``: Number of voussoirs, odd (no default).
    """

    margin: float
    rise: float


class MasonrySpecCrossVault(TypedDict):
    """Cross vault about the origin, standing on its four corners, in 3D.

    ``cross_vault``:
    """

    cross_vault: MasonrySpecCrossVaultTable


class _MasonrySpecDomeTableRequired(TypedDict):
    radius: float
    rings: int
    stones: int
    thickness: float


class MasonrySpecDomeTable(_MasonrySpecDomeTableRequired, total=False):
    """A table.

    ``beds``: Beds; default: "radial".
    ``oculus``: Half of the angle of the opening at the top [°]; default: 0, closed by a keystone.
    ``radius``: Inner radius [m] (no default).
    ``rings``: Number of rings (no default).
    ``stones``: Number of stones of a ring, from 3 (no default).
    ``thickness``: Thickness [m] (no default).
    """

    beds: BedsSpec
    oculus: float


class MasonrySpecDome(TypedDict):
    """Hemispherical dome about z, in 3D.

    ``dome``:
    """

    dome: MasonrySpecDomeTable


class _MasonrySpecColumnTableRequired(TypedDict):
    drums: int
    height: float
    radius: float


class MasonrySpecColumnTable(_MasonrySpecColumnTableRequired, total=False):
    """A table.

    ``capital``: Capital; default: none.
    ``drums``: Number of drums (no default).
    ``height``: Height of the drums together [m] (no default).
    ``radius``: Radius at the foot [m] (no default).
    ``sides``: Sides of a drum, from 3; default: 0, round: then it cannot taper.
    ``top_radius``: Radius at the top [m]; default: that at the foot.
    """

    capital: CapitalSpec
    sides: int
    top_radius: float


class MasonrySpecColumn(TypedDict):
    """Column of drums about z, in 3D.

    ``column``:
    """

    column: MasonrySpecColumnTable


class _MasonrySpecBatteredTableRequired(TypedDict):
    base: float
    courses: int
    height: float
    top: float


class MasonrySpecBatteredTable(_MasonrySpecBatteredTableRequired, total=False):
    """A table.

    ``base``: Thickness at the foot [m] (no default).
    ``bond_courses``: Every so many courses are one stone from back to face; default: 0, none is.
    ``courses``: Number of courses (no default).
    ``depth``: In 3D, depth along y [m] (no default there).
    ``height``: Height [m] (no default).
    ``stones``: Stones of a course from back to face; default: 2.
    ``top``: Thickness at the top [m] (no default).
    """

    bond_courses: int
    depth: float
    stones: int


class MasonrySpecBattered(TypedDict):
    """Wall with a leaning face at its left, its back at x = 0: a buttress, or a retaining wall.

    ``battered``:
    """

    battered: MasonrySpecBatteredTable


class MasonrySpecArenaTable(TypedDict):
    """A table.

    ``bays``: Number of bays, from 6 (no default).
    ``crown``: Height of the course above the crown of the arches [m] (no default).
    ``depth``: Depth of the fronts [m] (no default).
    ``half_axes``: Half axes of the ellipse along x and y [m], two numbers (no default).
    ``levels``: Number of levels (no default).
    ``pier_courses``: Number of courses of a pier (no default).
    ``pier_height``: Height of the piers below the springings [m] (no default).
    ``span``: Clear span of the arches [m] (no default).
    ``thickness``: Thickness of the arches [m] (no default).
    ``voussoirs``: Number of voussoirs of an arch, divisible by 4 (no default).
    """

    bays: int
    crown: float
    depth: float
    half_axes: Sequence[float]
    levels: int
    pier_courses: int
    pier_height: float
    span: float
    thickness: float
    voussoirs: int


class MasonrySpecArena(TypedDict):
    """Roman arena about z: arches on piers in a ring, on several levels, in 3D.

    ``arena``:
    """

    arena: MasonrySpecArenaTable


class _MaterialRequired(TypedDict):
    density: float


class Material(_MaterialRequired, total=False):
    """What a body is made of.

    ``axes``: The three axes of "orthotropic" in those of the shape, of length 1 and at right angles;
        default: those of the shape.
    ``bulk``: Bulk modulus of "mooney-rivlin" [Pa], greater than 0; default: none.
    ``c01``: Second constant of "mooney-rivlin" [Pa], 0 or greater; default: none.
    ``c10``: First constant of "mooney-rivlin" [Pa], 0 or greater; default: none.
    ``density``: Density [kg/m³], greater than 0 (no default); in 2D the depth is one metre.
    ``expansion``: Expansion by heat of "elastic" and "orthotropic" [1/K], greater than -1 and less than
        1; default: 0.
    ``hardening``: Modulus of isotropic hardening of "plastic" [Pa], 0 or greater; default: 0.
    ``kinematic_hardening``: Modulus of kinematic hardening of "plastic" [Pa], 0 or greater; default: 0.
    ``law``: How stress follows strain in deformable bodies; default: "elastic", for small strains. All
        others but "orthotropic" are for strains and turns of any size.
    ``poisson``: Poisson's ratio ν of deformable bodies [-], greater than -1 and less than 0.5; default:
        none.
    ``poisson_ratios``: Poisson's ratios ν₁₂, ν₂₃, ν₁₃ of "orthotropic": contraction along the second
        axis for a pull along the first; default: none.
    ``retardation``: Time by which strains lag behind stresses (Kelvin–Voigt) [s], 0 or greater;
        default: 0.
    ``shear_moduli``: Shear moduli G₁₂, G₂₃, G₁₃ of "orthotropic" [Pa], each greater than 0; default:
        none.
    ``strain``: Whether "plastic" is for strains of any size or for small ones; default: "finite".
    ``yield_stress``: Yield stress of "plastic" [Pa], greater than 0; default: none.
    ``young``: Young's modulus E of deformable bodies [Pa], greater than 0; default: none.
    ``young_moduli``: Young's moduli of "orthotropic" along its three axes [Pa], each greater than 0;
        default: none.
    """

    axes: Sequence[Sequence[float]]
    bulk: float
    c01: float
    c10: float
    expansion: float
    hardening: float
    kinematic_hardening: float
    law: MaterialLawName
    poisson: float
    poisson_ratios: Sequence[float]
    retardation: float
    shear_moduli: Sequence[float]
    strain: StrainName
    yield_stress: float
    young: float
    young_moduli: Sequence[float]


_MeasureSpecWords = TypedDict("_MeasureSpecWords", {"with": str}, total=False)


class _MeasureSpecRequired(TypedDict):
    name: str


class MeasureSpec(_MeasureSpecWords, _MeasureSpecRequired, total=False):
    """Something measured while the run goes on. `drystone measure --list` shows all measures and the keys
    they take.

    ``axis``: An axis, "x", "y" or "z"; default: up.
    ``bins``: How many slabs, bins or cells [-], from 1 to 1000000; default: as the measure tells.
    ``body``: A body; default: none.
    ``box``: A box: its lowest corner, then its highest [m]; default: what the sample spans.
    ``every``: Time between two lines [s], at least one step; default: `output.interval`.
    ``file``: Name of its table, without `.csv`; default: the name of the measure.
    ``group``: The sample: all bodies of this group; default: all bodies that are free in every
        component.
    ``least``: How many contacts a body has at least that is no rattler [-]; default: 2.
    ``name``: Which measure (no default).
    ``normal``: A direction; default: x.
    ``other``: Another body; default: none.
    ``point``: A point [m]; default: as the measure tells.
    ``reach``: A distance [m], greater than 0; default: as the measure tells.
    ``with``: The other group, of `group_force`; default: none.
    """

    axis: str
    bins: int
    body: str
    box: Sequence[float]
    every: float
    file: str
    group: str
    least: int
    normal: Sequence[float]
    other: str
    point: Sequence[float]
    reach: float


class _MembraneSpecRequired(TypedDict):
    on: NamesSpec
    pressure: SignalSpec


class MembraneSpec(_MembraneSpecRequired, total=False):
    """A pressure on the outer bodies of a sample in the plane, which follows the sample: the force on each
    straight line between neighbours of its outline is the pressure times the length, half of it on
    each.

    ``ball``: Radius of the ball that finds the outline by rolling around the sample [m]: it does not
        enter gaps that are narrower; default: the radius of the largest body of the sample.
    ``ends``: Names of bodies at which the membrane ends, such as the platens of a press: where the ball
        would meet one of them there is no membrane; default: none, it is closed.
    ``on``: Name of a group or a body, or several of them: the sample (no default).
    ``pressure``: The pressure [Pa], positive in compression (no default).
    """

    ball: float
    ends: Sequence[str]


class _MeshSpecRequired(TypedDict):
    treat: Treat


class MeshSpec(_MeshSpecRequired, total=False):
    """A mesh: a file with its unit, or vertices and faces. A scene that was read has both, and the file is
    then only a note of where they came from.

    ``faces``: Faces as loops of vertices numbered from 0, counter-clockwise seen from outside; default:
        from the file.
    ``file``: File beside the scene: .stl, .obj, .ply, .msh or .json (COMPAS); default: none, and
        vertices and faces instead.
    ``most_pieces``: With "decompose", most pieces that are allowed; default: 1000.
    ``tolerance``: With "decompose", depth of hollows that are filled, relative to the size of the mesh,
        from 0 (exact) to 0.5; default: 0.
    ``treat``: What is made of it (no default).
    ``unit``: What one stands for in the file; default: none, and it must be given with a file.
    ``vertices``: Vertices [m]; default: from the file.
    """

    faces: Sequence[Sequence[int]]
    file: str
    most_pieces: int
    tolerance: float
    unit: LengthUnit
    vertices: Sequence[Sequence[float]]


class _MeshesSpecRequired(TypedDict):
    folder: str
    unit: LengthUnit


class MeshesSpec(_MeshesSpecRequired, total=False):
    """Bodies from all meshes of a folder, in the order of their names, each where its file has it.

    ``folder``: Folder beside the scene (no default).
    ``treat``: What is made of the meshes; default: "convex".
    ``unit``: What one stands for in the files (no default).
    """

    treat: Treat


class _MohrCoulombRequired(TypedDict):
    friction: float


class MohrCoulomb(_MohrCoulombRequired, total=False):
    """Rigid bonds with a strength, lost for good.

    ``friction``: Coefficient of Coulomb friction μ [-], at least 0 (no default).
    ``normal_force``: Strength in tension of a contact point [N], at least 0.
    ``normal_stress``: Strength in tension for each area of the contact [Pa], at least 0.
    ``tangential_force``: Strength in shear of a contact point [N], at least `friction` times
        `normal_force`.
    ``tangential_stress``: Strength in shear for each area of the contact [Pa], at least `friction`
        times `normal_stress`.
    """

    normal_force: float
    normal_stress: float
    tangential_force: float
    tangential_stress: float


class NoneSpec(TypedDict, total=False):
    """No contact at all, for links of a mechanism that lie above each other."""


class _OpeningSpecRequired(TypedDict):
    bottom: float
    height: float
    left: float
    width: float


class OpeningSpec(_OpeningSpecRequired, total=False):
    """A rectangular opening of a wall.

    ``bearing``: How far its lintel rests on the wall at either side [m]; default: 0, no lintel.
    ``bottom``: Height of its lower edge, on a joint [m] (no default).
    ``height``: Height, a whole number of courses [m] (no default).
    ``left``: Distance from the beginning of the wall [m] (no default).
    ``width``: Width [m], greater than 0 (no default).
    """

    bearing: float


class _OrowanRequired(TypedDict):
    friction: float


class Orowan(_OrowanRequired, total=False):
    """Friction that grows no more beyond a normal force.

    ``friction``: Coefficient of Coulomb friction μ [-], at least 0 (no default).
    ``threshold``: Normal force F from which on friction grows no more [N]; default: the mean normal
        force of about the last hundred steps.
    """

    threshold: float


class _OutletSpecRequired(TypedDict):
    axis: str
    name: str


class OutletSpec(_OutletSpecRequired, total=False):
    """Takes bodies away whose centre of mass goes beyond a line or plane; one of `above` and `below` must
    be given.

    ``above``: Bodies go whose coordinate is greater [m]; default: not looked at.
    ``axis``: "x", "y" or "z" (no default).
    ``below``: Bodies go whose coordinate is less [m]; default: not looked at.
    ``name``: Name of the outlet (no default).
    """

    above: float
    below: float


class OutputSpec(TypedDict, total=False):
    """What is written, and how often.

    ``contacts``: Whether contacts are written.
    ``elements``: Whether the elements of deformable bodies are written, with displacements, strains and
        stresses at their nodes.
    ``interval``: Time between two outputs [s], at least one step; default: a hundredth of the duration,
        or one step if that is longer.
    ``surfaces``: Whether the surfaces of the bodies are written in every frame; default: where they
        have no more than 20,000 corners, deform, or come and go. `drystone export --surfaces` makes
        them later.
    """

    contacts: bool
    elements: bool
    interval: float
    surfaces: bool


class _PackingSpecLatticeTableRequired(TypedDict):
    kind: LatticeKind


class PackingSpecLatticeTable(_PackingSpecLatticeTableRequired, total=False):
    """A table.

    ``kind``: Which one (no default).
    ``spacing``: Distance between neighbours [m]; default: twice the largest radius.
    """

    spacing: float


class PackingSpecLattice(TypedDict):
    """On a regular lattice, from below.

    ``lattice``:
    """

    lattice: PackingSpecLatticeTable


class PackingSpecRandomTable(TypedDict, total=False):
    """A table.

    ``gap``: Least distance between grains [m]; default: 0.
    ``tries``: Tries of a grain before the region counts as full; default: 10000.
    """

    gap: float
    tries: int


class PackingSpecRandom(TypedDict):
    """At random places without overlap, one after the other.

    ``random``:
    """

    random: PackingSpecRandomTable


class PackingSpecDepositTries(TypedDict, total=False):
    """A table.

    ``tries``: Places a grain is dropped at, of which it takes the lowest; default: 1.
    """

    tries: int


class PackingSpecDeposit(TypedDict):
    """Dropped one after the other, each rolling down over the others until it lies.

    ``deposit``:
    """

    deposit: PackingSpecDepositTries


class PackingSpecGrowthTable(TypedDict, total=False):
    """A table.

    ``clearance``: Distance left between grains relative to their radii [-]; default: 0.001.
    ``rounds``: Most rounds of pushing grains apart; default: 20000.
    """

    clearance: float
    rounds: int


class PackingSpecGrowth(TypedDict):
    """Grown all over the region to a dense state without overlap.

    ``growth``:
    """

    growth: PackingSpecGrowthTable


class _PartSpecRequired(TypedDict):
    shape: ShapeRef


class PartSpec(_PartSpecRequired, total=False):
    """One shape of a cluster.

    ``angle``: In 2D, its angle [rad]; default: 0.
    ``angle_degrees``: In 2D, the same in degrees [°]; default: 0.
    ``orientation_wxyz``: In 3D, the same as a unit quaternion, scalar part first [-]; default: [1, 0,
        0, 0].
    ``position``: Where its origin sits in the axes of the cluster [m]; default: the origin.
    ``rotation``: In 3D, its rotation; default: none.
    ``shape``: Name of a shape, or the shape itself; no cluster (no default).
    """

    angle: float
    angle_degrees: float
    orientation_wxyz: Sequence[float]
    position: Sequence[float]
    rotation: Rotation


class PercussionSpec(TypedDict, total=False):
    """Percussions from pseudopotentials of dissipation of the mean velocity.

    ``friction``: Coefficient of Coulomb friction [-], at least 0; default: 0, or a threshold.
    ``normal``: Coefficient K_N of the quadratic pseudopotential of the normal [kg], in 2D for a depth
        of 1 m; at least 0.
    ``tangential``: Coefficient K_T of that of the tangents [kg], in 2D for a depth of 1 m; at least 0.
    ``threshold``: Threshold of Tresca's friction [N], at least 0; default: Coulomb's.
    """

    friction: float
    normal: float
    tangential: float
    threshold: float


class Poisson(TypedDict):
    """Contact with rebound in two phases.

    ``friction``: Coefficient of Coulomb friction μ [-], at least 0 (no default).
    ``normal``: Part e of the normal impulse of the compression that comes back [-], from 0 to 1 (no
        default).
    """

    friction: float
    normal: float


class _PressureSpecRequired(TypedDict):
    direction: PushDirection
    on: str
    stress: SignalSpec


class PressureSpec(_PressureSpecRequired, total=False):
    """A wall that is pressed against a sample with a given stress: it moves freely along one axis, its
    weight along that axis carried. Its mass is all the inertia it has, and may be small: the step is
    implicit.

    ``across``: Walls between whose faces the sample lies, two by two: the area is the product of their
        distances, at every step; default: from `area`.
    ``area``: The area that it acts on [m²], in 2D a length [m]; default: from `across`.
    ``direction``: The way it pushes: "+x", "-x", "+y", "-y", in 3D also "+z", "-z" (no default).
    ``on``: Name of the wall (no default). A line or plane needs a `mass`, and is `fixed` otherwise.
    ``stress``: The stress [Pa], positive in compression (no default).
    """

    across: Sequence[str]
    area: float


class _ProbeRequired(TypedDict):
    name: str


class Probe(_ProbeRequired, total=False):
    """A body, a group of bodies or a tie whose history is written to a table.

    ``body``: Name of the body; default: none, and a `group` of bodies or a `tie` instead.
    ``group``: Beside `body`: name of a group of nodes of a deformable body; default: none, and the body
        as a whole. Without `body`: name of a group of bodies.
    ``name``: Name of the table (no default).
    ``near``: Place as the scene begins [m]: the nearest node of a deformable body is meant; default:
        none.
    ``quantities``: Columns of the table; default: position, velocity and force, of ties force, tension
        and elongation.
    ``tie``: Name of a tie; default: none.
    """

    body: str
    group: str
    near: Sequence[float]
    quantities: Sequence["Quantity"]
    tie: str


class ReachesSpec(TypedDict, total=False):
    """A quantity or a measure that crosses a value; one of `above` and `below` must be given.

    ``above``: The stage ends once the quantity is at least this, in its unit; default: not looked at.
    ``axis``: "x", "y" or "z"; default: the size of the vector.
    ``below``: The stage ends once the quantity is at most this, in its unit; default: not looked at.
    ``body``: Name of the body; default: none, for a quantity of all bodies.
    ``measure``: A measure with its parameters, as `drystone measure` takes it: `NAME`, `NAME.COLUMN`,
        `NAME.COLUMN:KEY=VALUE`; default: a `quantity` instead.
    ``quantity``: Which quantity; default: a `measure` instead.
    """

    above: float
    axis: str
    below: float
    body: str
    measure: str
    quantity: ReachedQuantity


class RegionSpecBoxTable(TypedDict):
    """A table.

    ``high``: Highest corner [m] (no default).
    ``low``: Lowest corner [m] (no default).
    """

    high: Sequence[float]
    low: Sequence[float]


class RegionSpecBox(TypedDict):
    """Rectangle or box with its sides along the axes.

    ``box``:
    """

    box: RegionSpecBoxTable


class RegionSpecDiskTable(TypedDict):
    """A table.

    ``centre``: Centre [m] (no default).
    ``radius``: Radius [m], greater than 0 (no default).
    """

    centre: Sequence[float]
    radius: float


class RegionSpecDisk(TypedDict):
    """Inside of a circle, in 2D.

    ``disk``:
    """

    disk: RegionSpecDiskTable


class RegionSpecSphereTable(TypedDict):
    """A table.

    ``centre``: Centre [m] (no default).
    ``radius``: Radius [m], greater than 0 (no default).
    """

    centre: Sequence[float]
    radius: float


class RegionSpecSphere(TypedDict):
    """Inside of a sphere, in 3D.

    ``sphere``:
    """

    sphere: RegionSpecSphereTable


class RegionSpecCylinderTable(TypedDict):
    """A table.

    ``centre``: Centre [m] (no default).
    ``height``: Height [m], greater than 0 (no default).
    ``radius``: Radius [m], greater than 0 (no default).
    """

    centre: Sequence[float]
    height: float
    radius: float


class RegionSpecCylinder(TypedDict):
    """Inside of an upright cylinder, in 3D.

    ``cylinder``:
    """

    cylinder: RegionSpecCylinderTable


class RegionSpecDrumTable(TypedDict):
    """A table.

    ``centre``: Centre [m] (no default).
    ``length``: Length [m], greater than 0 (no default).
    ``radius``: Radius [m], greater than 0 (no default).
    """

    centre: Sequence[float]
    length: float
    radius: float


class RegionSpecDrum(TypedDict):
    """Inside of a cylinder that lies along y, in 3D.

    ``drum``:
    """

    drum: RegionSpecDrumTable


class RegionSpecWallsTable(TypedDict):
    """A table.

    ``high``: Highest corner of the box [m] (no default).
    ``low``: Lowest corner of the box [m] (no default).
    ``walls``: The walls (no default).
    """

    high: Sequence[float]
    low: Sequence[float]
    walls: Sequence["WallPlane"]


class RegionSpecWalls(TypedDict):
    """What lies within a box and on the inner side of all walls.

    ``walls``:
    """

    walls: RegionSpecWallsTable


class RegionSpecMeshTable(TypedDict):
    """A table.

    ``file``: File beside the scene (no default).
    ``unit``: What one stands for in the file (no default).
    """

    file: str
    unit: LengthUnit


class RegionSpecMesh(TypedDict):
    """Inside of a closed mesh, in 3D.

    ``mesh``:
    """

    mesh: RegionSpecMeshTable


class _ReleaseSpecRequired(TypedDict):
    on: NamesSpec


class ReleaseSpec(_ReleaseSpecRequired, total=False):
    """Bodies that are let go.

    ``axes``: Along which axes: "x", "y", "spin" in 2D; "x", "y", "z", "spin_x", "spin_y", "spin_z" in
        3D; default: all.
    ``on``: Name of a body or a group, or several of them (no default).
    """

    axes: Sequence[str]


class _RestitutionRequired(TypedDict):
    friction: float
    normal: float


class Restitution(_RestitutionRequired, total=False):
    """Contact with rebound.

    ``friction``: Coefficient of Coulomb friction μ [-], at least 0 (no default).
    ``normal``: Part ρ of the normal velocity that comes back [-], from 0 to 1 (no default).
    ``tangential``: Part τ of the tangential velocity that comes back [-], from 0 to 1.
    """

    tangential: float


class _RockSpecRequired(TypedDict):
    high: Sequence[float]
    low: Sequence[float]


class RockSpec(_RockSpecRequired, total=False):
    """A region cut into blocks: by sets of joints, or around random points.

    ``cells``: Number of Voronoi cells; default: none, and joints instead.
    ``high``: Highest corner of it [m] (no default).
    ``joints``: Sets of joints, which cut one after the other; default: none, and cells instead.
    ``low``: Lowest corner of the box that is cut [m] (no default).
    ``rounds``: How often the points of the cells are moved to their centres, which makes cells rounder;
        default: 0.
    ``slopes``: Slopes: lines or planes beyond which the rock is taken away; default: none.
    ``thinnest``: Least thickness of a block [m]: a joint that would leave less does not cut there;
        default: 0.
    """

    cells: int
    joints: Sequence["JointSetSpec"]
    rounds: int
    slopes: Sequence["WallPlane"]
    thinnest: float


class _RollingRequired(TypedDict):
    friction: float
    rolling: float


class Rolling(_RollingRequired, total=False):
    """Resistance to sliding, rolling and twisting.

    ``friction``: Coefficient of Coulomb friction μ [-], at least 0 (no default).
    ``normal``: Part of the normal velocity that comes back [-], from 0 to 1; default: no rebound,
        contact on the forecast gap, bodies stop as they touch.
    ``rolling``: Arm ρ of the resistance to rolling [m], at least 0 (no default).
    ``tangential``: Part of the tangential velocity that comes back [-], from 0 to 1; only with
        `normal`.
    ``twisting``: Arm τ of the resistance to twisting [m], at least 0; nothing in 2D.
    """

    normal: float
    tangential: float
    twisting: float


class _RotationRequired(TypedDict):
    axis: Sequence[float]


class Rotation(_RotationRequired, total=False):
    """A rotation about an axis.

    ``angle``: Angle [rad], counter-clockwise about the axis; default: from `angle_degrees`.
    ``angle_degrees``: The same in degrees [°]; default: from `angle`.
    ``axis``: Direction of the axis, of any length but 0 [-] (no default).
    """

    angle: float
    angle_degrees: float


_RoughSpecRequiredWords = TypedDict("_RoughSpecRequiredWords", {"from": Sequence[float]})


class _RoughSpecRequired(TypedDict):
    sizes: SizesSpec
    to: Sequence[float]


class RoughSpec(_RoughSpecRequiredWords, _RoughSpecRequired, total=False):
    """A rough wall of grains, one body that does not move.

    ``from``: In 2D, where it begins; in 3D, the lowest corner of a level rectangle [m] (no default).
    ``scatter``: How far grains are off the line or plane, relative to their radius [-], from 0 to 0.9;
        default: 0.
    ``sizes``: Radii of its grains (no default).
    ``to``: In 2D, where it ends; in 3D, the opposite corner, at the same height [m] (no default).
    """

    scatter: float


class _SampleSpecRequired(TypedDict):
    name: str


class SampleSpec(_SampleSpecRequired, total=False):
    """Many bodies from a few numbers: exactly one of grains, rough, masonry, rock, table, meshes and
    assembly must be given.

    ``assembly``: Bodies from the blocks of an assembly of COMPAS; default: not these.
    ``density``: Density [kg/m³]; default: none. In 2D the depth is one metre.
    ``fixed``: Whether the bodies are held still; default: false, but for rough walls, which always are.
    ``grains``: Grains in a region; default: not these.
    ``group``: Group of the bodies, for laws; default: the name of the sample.
    ``masonry``: Masonry; default: not this.
    ``material``: Name of a material; default: none, and density instead.
    ``meshes``: Bodies from the meshes of a folder; default: not these.
    ``name``: Name of the sample; its bodies are called after it, "NAME 1", "NAME 2", ... (no default).
    ``position``: Where the origin of the sample goes [m]; default: the origin.
    ``rock``: Rock cut into blocks; default: not this.
    ``rough``: A rough wall of grains, one body that does not move; default: not this.
    ``seed``: What everything random comes from: the same number gives the same bodies; default: 0.
    ``table``: Bodies from the lines of a table; default: not these.
    ``velocity``: Velocity of every body [m/s]; default: 0.
    """

    assembly: AssemblySpec
    density: float
    fixed: bool
    grains: GrainsSpec
    group: str
    masonry: MasonrySpec
    material: str
    meshes: MeshesSpec
    position: Sequence[float]
    rock: RockSpec
    rough: RoughSpec
    seed: int
    table: TableSpec
    velocity: Sequence[float]


class ShapeSpecDiskRadius(TypedDict):
    """A table.

    ``radius``: Radius [m], greater than 0 (no default).
    """

    radius: float


class ShapeSpecDisk(TypedDict):
    """Disk about the origin, in 2D.

    ``disk``:
    """

    disk: ShapeSpecDiskRadius


class ShapeSpecLineTable(TypedDict, total=False):
    """A table."""


class ShapeSpecLine(TypedDict):
    """Half-plane below the origin, in 2D: its boundary passes through the origin, its outward normal is
    +y.

    ``line``:
    """

    line: ShapeSpecLineTable


class _ShapeSpecPolygonTableRequired(TypedDict):
    vertices: Sequence[Sequence[float]]


class ShapeSpecPolygonTable(_ShapeSpecPolygonTableRequired, total=False):
    """A table.

    ``treat``: What is made of it: it must be convex, is cut into convex pieces, or is touched along its
        outline; default: "convex".
    ``vertices``: Vertices [m], one after the other around the polygon (no default).
    """

    treat: Treat


class ShapeSpecPolygon(TypedDict):
    """Polygon, in 2D.

    ``polygon``:
    """

    polygon: ShapeSpecPolygonTable


class ShapeSpecRoundedRectangleTable(TypedDict):
    """A table.

    ``radius``: Radius of the corners [m], greater than 0 and at most half of the shorter side (no
        default).
    ``size``: Full outer lengths of the sides [m], two numbers (no default).
    """

    radius: float
    size: Sequence[float]


class ShapeSpecRoundedRectangle(TypedDict):
    """Rectangle about the origin with round corners, in 2D.

    ``rounded_rectangle``:
    """

    rounded_rectangle: ShapeSpecRoundedRectangleTable


class ShapeSpecCapsuleTable(TypedDict):
    """A table.

    ``length``: Length of the segment, caps apart [m], greater than 0 (no default).
    ``radius``: Radius [m], greater than 0 (no default).
    """

    length: float
    radius: float


class ShapeSpecCapsule(TypedDict):
    """All points within the radius of a segment about the origin, along y in 2D and along z in 3D.

    ``capsule``:
    """

    capsule: ShapeSpecCapsuleTable


class ShapeSpecHollowDiskRadius(TypedDict):
    """A table.

    ``radius``: Radius [m], greater than 0 (no default).
    """

    radius: float


class ShapeSpecHollowDisk(TypedDict):
    """Inside of a circle about the origin, in 2D: a drum.

    ``hollow_disk``:
    """

    hollow_disk: ShapeSpecHollowDiskRadius


class ShapeSpecPolylineVertices(TypedDict):
    """A table.

    ``vertices``: Vertices [m], at least two (no default).
    """

    vertices: Sequence[Sequence[float]]


class ShapeSpecPolyline(TypedDict):
    """Open line of segments, in 2D, touched from the left on the way from the first vertex to the last:
    from above if they go from left to right.

    ``polyline``:
    """

    polyline: ShapeSpecPolylineVertices


class ShapeSpecPointTable(TypedDict, total=False):
    """A table."""


class ShapeSpecPoint(TypedDict):
    """The origin alone, in 2D and 3D: a ball without radius or mass.

    ``point``:
    """

    point: ShapeSpecPointTable


class ShapeSpecBoxSize(TypedDict):
    """A table.

    ``size``: Full lengths of the sides [m]: two numbers in 2D, three in 3D (no default).
    """

    size: Sequence[float]


class ShapeSpecBox(TypedDict):
    """Rectangle (2D) or cuboid (3D) centred on the origin, its sides along the axes.

    ``box``:
    """

    box: ShapeSpecBoxSize


class ShapeSpecSphereRadius(TypedDict):
    """A table.

    ``radius``: Radius [m], greater than 0 (no default).
    """

    radius: float


class ShapeSpecSphere(TypedDict):
    """Sphere about the origin, in 3D.

    ``sphere``:
    """

    sphere: ShapeSpecSphereRadius


class ShapeSpecPlaneTable(TypedDict, total=False):
    """A table."""


class ShapeSpecPlane(TypedDict):
    """Half-space below the origin, in 3D: its boundary passes through the origin, its outward normal is
    +z.

    ``plane``:
    """

    plane: ShapeSpecPlaneTable


class _ShapeSpecPolyhedronTableRequired(TypedDict):
    vertices: Sequence[Sequence[float]]


class ShapeSpecPolyhedronTable(_ShapeSpecPolyhedronTableRequired, total=False):
    """A table.

    ``faces``: Faces as loops of vertices numbered from 0, counter-clockwise seen from outside; default:
        the convex hull of the vertices, every one of which must be a corner of it.
    ``vertices``: Vertices [m] (no default).
    """

    faces: Sequence[Sequence[int]]


class ShapeSpecPolyhedron(TypedDict):
    """Convex polyhedron, in 3D.

    ``polyhedron``:
    """

    polyhedron: ShapeSpecPolyhedronTable


class ShapeSpecCylinderTable(TypedDict):
    """A table.

    ``height``: Height [m], greater than 0 (no default).
    ``radius``: Radius [m], greater than 0 (no default).
    """

    height: float
    radius: float


class ShapeSpecCylinder(TypedDict):
    """Solid circular cylinder about the origin, its axis along z, in 3D.

    ``cylinder``:
    """

    cylinder: ShapeSpecCylinderTable


class ShapeSpecHollowCylinderTable(TypedDict):
    """A table.

    ``height``: Height [m], greater than 0 (no default).
    ``radius``: Radius [m], greater than 0 (no default).
    """

    height: float
    radius: float


class ShapeSpecHollowCylinder(TypedDict):
    """Inside of a tube about the origin, its axis along z, open at both ends, in 3D: a silo.

    ``hollow_cylinder``:
    """

    hollow_cylinder: ShapeSpecHollowCylinderTable


class ShapeSpecMesh(TypedDict):
    """Mesh, from a file or written out, in 3D.

    ``mesh``: A mesh: a file with its unit, or vertices and faces. A scene that was read has both, and
        the file is then only a note of where they came from.
    """

    mesh: MeshSpec


class ShapeSpecElements(TypedDict):
    """Solid of finite elements, from a file or written out, in 2D and 3D; only for bodies with `deform`.

    ``elements``: A solid of finite elements: a file with its unit, or nodes, elements and groups. A
        scene that was read has both, and the file is then only a note of where they came from.
    """

    elements: ElementsSpec


class ShapeSpecHeightField(TypedDict):
    """Terrain over a regular grid, from a file or written out, in 3D.

    ``height_field``: Heights over a grid: an ESRI file with its unit, or columns, spacing and heights.
        A scene that was read has both, and the file is then only a note of where they came from.
    """

    height_field: HeightFieldSpec


class ShapeSpecClusterShapes(TypedDict):
    """A table.

    ``shapes``: The shapes and where they sit (no default).
    """

    shapes: Sequence["PartSpec"]


class ShapeSpecCluster(TypedDict):
    """Several shapes as one, in 2D and 3D.

    ``cluster``:
    """

    cluster: ShapeSpecClusterShapes


class SizesSpecMonoRadius(TypedDict):
    """A table.

    ``radius``: Radius [m], greater than 0 (no default).
    """

    radius: float


class SizesSpecMono(TypedDict):
    """All alike.

    ``mono``:
    """

    mono: SizesSpecMonoRadius


class _SizesSpecUniformTableRequired(TypedDict):
    largest: float
    smallest: float


class SizesSpecUniformTable(_SizesSpecUniformTableRequired, total=False):
    """A table.

    ``by``: What is even; default: "number".
    ``largest``: Largest radius [m] (no default).
    ``smallest``: Smallest radius [m], greater than 0 (no default).
    """

    by: CountBySpec


class SizesSpecUniform(TypedDict):
    """Uniform between two radii.

    ``uniform``:
    """

    uniform: SizesSpecUniformTable


class _SizesSpecTwoTableRequired(TypedDict):
    large: float
    share_of_large: float
    small: float


class SizesSpecTwoTable(_SizesSpecTwoTableRequired, total=False):
    """A table.

    ``by``: What the share counts; default: "number".
    ``large``: The larger radius [m], greater than 0 (no default).
    ``share_of_large``: Share of the larger ones [-], from 0 to 1 (no default).
    ``small``: The smaller radius [m], greater than 0 (no default).
    """

    by: CountBySpec


class SizesSpecTwo(TypedDict):
    """Two radii.

    ``two``:
    """

    two: SizesSpecTwoTable


class SizesSpecBetaTable(TypedDict):
    """A table.

    ``a``: First parameter [-], which draws radii away from the smallest (no default).
    ``b``: Second parameter [-], which draws radii away from the largest (no default).
    ``largest``: Largest radius [m] (no default).
    ``smallest``: Smallest radius [m], greater than 0 (no default).
    """

    a: float
    b: float
    largest: float
    smallest: float


class SizesSpecBeta(TypedDict):
    """Beta distribution by number, stretched to an interval.

    ``beta``:
    """

    beta: SizesSpecBetaTable


class SizesSpecLogNormalTable(TypedDict):
    """A table.

    ``deviation``: Standard deviation of the logarithm of the radius [-] (no default).
    ``largest``: Largest radius [m] (no default).
    ``median``: Median radius before cutting [m], greater than 0 (no default).
    ``smallest``: Smallest radius [m], greater than 0 (no default).
    """

    deviation: float
    largest: float
    median: float
    smallest: float


class SizesSpecLogNormal(TypedDict):
    """Log-normal by number, cut off at both ends.

    ``log_normal``:
    """

    log_normal: SizesSpecLogNormalTable


class SizesSpecSieveTable(TypedDict, total=False):
    """A table.

    ``file``: CSV beside the scene, two columns: width and share that passes (or per cent); default:
        none, and points instead.
    ``points``: Pairs of width [m] and share that passes [-], from 0 to 1; default: from the file.
    ``unit``: What one stands for in the widths of the file; default: "mm".
    """

    file: str
    points: Sequence[Sequence[float]]
    unit: LengthUnit


class SizesSpecSieve(TypedDict):
    """Sieve curve: how much of the mass passes sieves of several widths.

    ``sieve``:
    """

    sieve: SizesSpecSieveTable


class Solver(TypedDict, total=False):
    """How the contact problem of a step is solved.

    ``auto``: The policy of `auto`, and the limits of the second-order methods.
    ``criterion``: Whether the tolerance is about the worst contact or about the mean of all of them.
    ``even_rounds``: Most times a step is solved again so that the normal forces of patches that slide
        are even [-]; 0 takes them as the solver finds them.
    ``inconsistent``: What to do with a step that has no solution.
    ``max_iterations``: Most iterations a step may take [-], at least 1.
    ``memory``: Whether a step starts from the impulses of the last one (warm start).
    ``method``: Which solver.
    ``newton_contraction``: The matrix of a deformable body is made anew where its residual falls to no
        less than this part of the last [-], between 0 and 1.
    ``newton_halvings``: How often a step of which a deformable body finds no end is halved [-], from 0
        to 20; beyond, the run fails.
    ``newton_iterations``: Most iterations of Newton's method in a step [-], at least 1; beyond, the
        step is halved.
    ``newton_tolerance``: Largest residual at which Newton's method is content with a deformable body,
        relative to the momenta and impulses that make it [-], between 0 and 1.
    ``order``: In which order a sweep visits the contacts.
    ``polish``: Whether `auto` and the proximal point go on beyond the tolerance, so that what rests
        stays at rest; without it the tolerance is the tolerance.
    ``relaxation``: Relaxation of the update of a contact [-], between 0 and 2.
    ``rest``: What becomes of bodies at rest that could stay where the solver sets them in motion.
    ``rest_contacts``: Contacts up to which an island is looked at for it whatever it costs [-].
    ``rest_multiplications``: Larger islands are looked at where factors of the equations of their
        bodies, layer by layer, take no more multiplications than this [-], at least 0: slender ones,
        like towers and walls.
    ``rest_rounding``: Speed below which a body that was slower than this stands still exactly, relative
        to what the loads alone give it in a step [-], from 0 to 1e-6.
    ``rest_speed``: Speed up to which a body is at rest, relative to the largest that the loads alone
        give a body of its island in a step [-], between 0 and 1.
    ``seed``: Seed of the random order [-].
    ``tolerance``: Largest relative residual of a converged step [-], between 0 and 1.
    """

    auto: AutoParams
    criterion: CriterionSpec
    even_rounds: int
    inconsistent: Inconsistent
    max_iterations: int
    memory: bool
    method: Method
    newton_contraction: float
    newton_halvings: int
    newton_iterations: int
    newton_tolerance: float
    order: OrderSpec
    polish: bool
    relaxation: float
    rest: RestRule
    rest_contacts: int
    rest_multiplications: float
    rest_rounding: float
    rest_speed: float
    seed: int
    tolerance: float


class _SourceSpecRequired(TypedDict):
    count: int
    density: float
    lower: Sequence[float]
    name: str
    upper: Sequence[float]


class SourceSpec(_SourceSpecRequired, total=False):
    """Drops bodies into the scene, disks or spheres by default, at a rate or one by one.

    ``count``: How many bodies in all [-] (no default).
    ``density``: Density [kg/m³], greater than 0 (no default); in 2D the depth is one metre.
    ``form``: Shape in the place of each disk or sphere, turned at random; default: the disk or sphere
        itself.
    ``group``: Group of the bodies, for laws; default: the name of the source.
    ``lower``: Lowest corner of the box in which the centres appear [m] (no default).
    ``name``: Name of the source (no default); its bodies are called after it: `NAME 1`, `NAME 2` and so
        on.
    ``radius``: Least and largest radius [m], all between them alike; default: none, for shapes of a
        list.
    ``rate``: Bodies a second [1/s]; default: one by one, the next once `rest` holds.
    ``rest``: Speed of the last body below which the next one comes [m/s]; default: by `rate`.
    ``seed``: What places and radii come from [-]: the same number gives the same bodies.
    ``shapes``: Names of shapes of the scene, such as meshes, of which each body has one at random,
        turned at random and as large as it is; default: none, as `radius` and `form` say.
    ``start``: When it begins [s].
    ``upper``: Highest corner of the box [m] (no default).
    ``velocity``: Velocity with which they come [m/s]; default: 0.
    """

    form: FormSpec
    group: str
    radius: Sequence[float]
    rate: float
    rest: float
    seed: int
    shapes: Sequence[str]
    start: float
    velocity: Sequence[float]


class StageSpec(TypedDict, total=False):
    """A part of a run. What it sets holds until a later stage sets it anew; the time `t` of its signals is
    0 where it begins.

    ``cohesion``: Cohesion that changes; default: none.
    ``drive``: Prescribed motion that changes; default: none.
    ``duration``: How long it lasts at most [s]; default: until its conditions hold, or the run ends.
    ``fix``: Names of bodies and groups that are stopped and held; default: none.
    ``friction``: Friction that changes; default: none.
    ``gravity``: Gravity that changes; default: as before.
    ``growth``: Bodies that grow from here on; default: none.
    ``law``: Laws that change; default: none.
    ``load``: Loads that change; default: none.
    ``membrane``: Membranes that press from here on; default: none.
    ``name``: What it is called, in messages and in the summary (no default).
    ``pressure``: Walls that are pressed from here on; default: none.
    ``release``: Bodies and groups that are let go; default: none.
    ``remove``: Names of bodies and groups that are taken away when it begins; default: none.
    ``until``: What ends it before; default: nothing.
    """

    cohesion: Sequence["CohesionSpec"]
    drive: Sequence["DriveSpec"]
    duration: float
    fix: Sequence[str]
    friction: Sequence["FrictionSpec"]
    gravity: GravitySpec
    growth: Sequence["GrowthSpec"]
    law: Sequence["LawSpec"]
    load: Sequence["LoadSpec"]
    membrane: Sequence["MembraneSpec"]
    name: str
    pressure: Sequence["PressureSpec"]
    release: Sequence["ReleaseSpec"]
    remove: Sequence[str]
    until: UntilSpec


class StandingSpec(TypedDict, total=False):
    """A structure has fallen once the centre of mass of one of its bodies is farther from where it began
    than `displacement` times the radius of the body.

    ``bodies``: Names of bodies or groups that are looked at; default: the bodies that touch a body
        fixed or driven as the scene begins, and those that touch these.
    ``displacement``: Way of the centre of mass that counts as a fall, relative to the radius of the
        body [-], greater than 0.
    """

    bodies: Sequence[str]
    displacement: float


class _TableSpecRequired(TypedDict):
    file: str


class TableSpec(_TableSpecRequired, total=False):
    """Bodies from a table in CSV, a line each, with a heading that names the columns: x, y, z, radius,
    angle, vx, vy, vz, name, group.

    ``file``: File beside the scene (no default).
    ``shape``: Shape of every body; default: a disk or sphere of the column radius.
    ``unit``: What one stands for in its lengths; default: "m".
    """

    shape: ShapeRef
    unit: LengthUnit


class _TieSpecRequired(TypedDict):
    bodies: Sequence[str]
    kind: TieKind


class TieSpec(_TieSpecRequired, total=False):
    """What ties two bodies for good, or a body to the ground.

    ``at``: Where a joint sits as the scene begins [m], of a rack where its teeth meet the pinion;
        default for "fixed" and "torsion": the first body's centre of mass.
    ``axes``: The two axes of a universal joint [-], the first on the first body and the second on the
        second one, at right angles to each other (no default).
    ``axis``: Direction in which a joint is free, or about which a torsion spring or a pinion turns in
        3D [-], of any length; of a spherical joint the axis whose angle its limits bound (no default).
    ``bodies``: The two bodies (no default); "ground" is the world where no body has that name.
    ``coefficients``: Coefficients of coupled velocities, a list for each body: x, y and spin in 2D; x,
        y, z and the spins about them in 3D (no default).
    ``collide``: Whether the two bodies still collide with each other; default: those of rods, wires and
        springs do, others do not.
    ``damping``: Damping of a spring or an elastic wire [N s/m], of a torsion spring [N m s/rad];
        default: 0.
    ``ends``: The two ends of a rod, wire or spring as the scene begins [m]; default: the centres of
        mass of the bodies.
    ``friction``: Coefficient of friction in a joint [-]; default: 0.
    ``friction_force``: Friction of a slider or cylindrical joint without any load [N]; default: 0.
    ``friction_moment``: Friction of a joint that turns without any load [N m]; default: 0.
    ``kind``: What it does (no default).
    ``length``: Length of a rod or wire, or of a spring without force [m]; default: the distance of its
        ends.
    ``limits``: Least and largest way [m] or turn [rad] of the first body against the second one since
        the start; of a universal joint of the turns about its axes, of a spherical one 0 and the
        largest angle of its axis; default: no stops.
    ``name``: Name, different from that of every other tie; default: the kind and a number.
    ``pitch``: Way of a screw along its axis for one turn [m], negative for a thread to the left (no
        default).
    ``radius``: Radius of the pin, ball or thread at which the friction of a joint acts [m]; default of
        a cylindrical joint: 0.
    ``restitution``: Coefficient of restitution of the stops [-], from 0 to 1; default: 0.
    ``second_limits``: Least and largest turn of a universal joint about its second axis [rad]; default:
        `limits`.
    ``stiffness``: Stiffness of a spring or an elastic wire [N/m], of a torsion spring [N m/rad];
        default: a wire is rigid, a spring has none.
    ``strength``: Mean force over a step at which it breaks for good [N]; default: never.
    """

    at: Sequence[float]
    axes: Sequence[Sequence[float]]
    axis: Sequence[float]
    coefficients: Sequence[Sequence[float]]
    collide: bool
    damping: float
    ends: Sequence[Sequence[float]]
    friction: float
    friction_force: float
    friction_moment: float
    length: float
    limits: Sequence[float]
    name: str
    pitch: float
    radius: float
    restitution: float
    second_limits: Sequence[float]
    stiffness: float
    strength: float


class _TimeRequired(TypedDict):
    duration: float
    step: float


class Time(_TimeRequired, total=False):
    """Step, duration and scheme.

    ``drift``: What to do with overlaps.
    ``duration``: Length of the run [s], greater than 0 (no default).
    ``step``: Time step [s], greater than 0 (no default).
    ``strategy``: How forces and laws enter a step.
    ``theta``: Parameter of the θ-scheme, from 0.5 (keeps the energy) to 1 (damps) [-].
    """

    drift: Drift
    strategy: Strategy
    theta: float


class _TrapezoidalSpecRequired(TypedDict):
    fall: float
    friction: float
    normal_opening: float
    rise: float
    strength: float
    tangential_opening: float


class TrapezoidalSpec(_TrapezoidalSpecRequired, total=False):
    """Cohesive zone along three straight lines.

    ``fall``: Beginning of the fall, relative to the last opening [-], from `rise` to 1 (no default).
    ``friction``: Coefficient of Coulomb friction of the broken bond [-], at least 0 (no default).
    ``normal_opening``: Opening at which nothing is left [m], greater than 0 (no default).
    ``point_area``: Area of contacts that touch at a single point [m²], at least 0: without it they are
        not bonded.
    ``relaxation``: Time over which damage follows the opening [s], at least 0.
    ``rise``: End of the rise, relative to the last opening [-], between 0 and 1 (no default).
    ``strength``: Strength [Pa], greater than 0 (no default).
    ``tangential_opening``: Slip at which nothing is left [m], greater than 0 (no default).
    """

    point_area: float
    relaxation: float


class Tresca(TypedDict, total=False):
    """Friction of a given threshold.

    ``stress``: Largest friction τ for each area of the contact [Pa], at least 0.
    ``threshold``: Largest friction F at a contact point [N], at least 0.
    """

    stress: float
    threshold: float


class UnilateralSpec(TypedDict, total=False):
    """Contact without rebound and with all options; exactly one kind of friction must be given.

    ``friction``: Coefficient of Coulomb friction [-], at least 0; default: given in another way.
    ``friction_by_slip``: Points of the distance slid [m] and the coefficient of friction there [-],
        straight between them; default: given in another way.
    ``friction_by_time``: Points of time [s] and the coefficient of friction then [-], straight between
        them; default: given in another way.
    ``friction_dynamic``: Coefficient of friction while sliding [-], with `friction_static`; default:
        given in another way.
    ``friction_static``: Coefficient of friction at rest [-], with `friction_dynamic`; default: given in
        another way.
    ``from_start``: Whether contacts at the start count their gap from the one they have then.
    ``gap_offset``: Gap that counts as none [m].
    ``level``: Whether the gap is closed at the level of velocities or of positions.
    ``stick``: Infinite friction.
    """

    friction: float
    friction_by_slip: Sequence[Sequence[float]]
    friction_by_time: Sequence[Sequence[float]]
    friction_dynamic: float
    friction_static: float
    from_start: bool
    gap_offset: float
    level: Level
    stick: bool


class UntilSpec(TypedDict, total=False):
    """What ends a stage: whichever of them holds first.

    ``collapsed``: A body that is free has gone farther than this times its radius from where it came
        into the run [-]; default: not looked at.
    ``equilibrium``: Everything has come to rest; default: not looked at.
    ``reaches``: A quantity of a body or of all, or a measure, crosses a value; default: not looked at.
    """

    collapsed: float
    equilibrium: Equilibrium
    reaches: ReachesSpec


class _ViscoelasticSpecRequired(TypedDict):
    friction: float


class ViscoelasticSpec(_ViscoelasticSpecRequired, total=False):
    """Springs and dashpots: either a period or a stiffness must be given.

    ``friction``: Coefficient of Coulomb friction [-], at least 0 (no default).
    ``period``: Period of the critical oscillator, in time steps [-], at least 1; default: a stiffness
        is given.
    ``stiffness``: Stiffness of the spring [N/m], greater than 0; default: a period is given.
    ``viscosity``: Viscosity of the dashpot [N s/m], at least 0.
    """

    period: float
    stiffness: float
    viscosity: float


class WallPlane(TypedDict):
    """A line in 2D, a plane in 3D, of which one side is kept.

    ``normal``: Direction to the side that is kept, of any length but 0 [-] (no default).
    ``point``: A point on it [m] (no default).
    """

    normal: Sequence[float]
    point: Sequence[float]


_SceneSpecWords = TypedDict("_SceneSpecWords", {"from": str}, total=False)


class _SceneSpecRequired(TypedDict):
    dimension: int
    time: Time


class SceneSpec(_SceneSpecWords, _SceneSpecRequired, total=False):
    """A scene of Drystone: bodies, the laws between them, and how to run them. SI units; y up in 2D, z up
    in 3D.

    ``body``: The bodies, in the order of their numbers; default: none.
    ``cell``: The periodic cell; default: none, the world has no end.
    ``cohesion``: Cohesion that changes in time; default: none.
    ``detection``: How contacts are found.
    ``dimension``: Dimension of space: 2 or 3.
    ``drive``: Prescribed motion that changes in time; default: none.
    ``equilibrium``: When to end the run early because everything is at rest; default: never.
    ``force``: Contact forces that are known, from which the first step starts; default: none.
    ``friction``: Friction that changes in time; default: none.
    ``from``: The run that this one goes on from, `"FOLDER@end"` or `"FOLDER@TIME"`: bodies, laws, ties
        and what acts on them are those of that run; default: none.
    ``gravity``: Acceleration of gravity [m/s²]; default: 9.81 downwards (y in 2D, z in 3D).
    ``gravity_in_time``: Gravity that changes in time; default: it stays what it is.
    ``growth``: Bodies that grow in time; default: none.
    ``inherited_stages``: Written by the program: how many of the stages are of the run before [-];
        default: 0.
    ``law``: The laws between groups of bodies; default: none.
    ``load``: Loads that change in time; default: none.
    ``materials``: Materials by name; default: none.
    ``measure``: What is measured while the run goes on, each in a table of its own; default: nothing.
    ``membrane``: Membranes around samples without walls; default: none.
    ``outlet``: Where bodies leave the run; default: nowhere.
    ``output``: What is written, and how often.
    ``pressure``: Walls pressed against a sample; default: none.
    ``probe``: Bodies, groups and ties whose history is written to a table; default: none.
    ``sample``: Many bodies from a few numbers, which come behind the others; default: none. A scene
        that was read has bodies in their place.
    ``shapes``: Shapes by name; default: none.
    ``solver``: How the contact problem of a step is solved.
    ``source``: Where bodies come into the run; default: nowhere.
    ``stage``: The stages of the run, one after the other; default: none, the run is of one piece.
    ``standing``: When a structure counts as fallen; default: all defaults, judged where `equilibrium`
        is given.
    ``started_from``: Written by the program: what `from` was; default: none.
    ``steps_before``: Written by the program: steps of the run before [-]; default: none.
    ``tie``: What ties bodies to each other or to the ground for good; default: nothing.
    ``time``: Step, duration and scheme (no default: step and duration must be given).
    ``title``: What the scene shows, in one line; default: no title.
    ``units``: System of units; only "SI".
    """

    body: Sequence["BodySpec"]
    cell: CellSpec
    cohesion: Sequence["CohesionSpec"]
    detection: Detection
    drive: Sequence["DriveSpec"]
    equilibrium: Equilibrium
    force: Sequence["ForceSpec"]
    friction: Sequence["FrictionSpec"]
    gravity: Sequence[float]
    gravity_in_time: GravitySpec
    growth: Sequence["GrowthSpec"]
    inherited_stages: int
    law: Sequence["LawSpec"]
    load: Sequence["LoadSpec"]
    materials: Mapping[str, "Material"]
    measure: Sequence["MeasureSpec"]
    membrane: Sequence["MembraneSpec"]
    outlet: Sequence["OutletSpec"]
    output: OutputSpec
    pressure: Sequence["PressureSpec"]
    probe: Sequence["Probe"]
    sample: Sequence["SampleSpec"]
    shapes: Mapping[str, "ShapeSpec"]
    solver: Solver
    source: Sequence["SourceSpec"]
    stage: Sequence["StageSpec"]
    standing: StandingSpec
    started_from: str
    steps_before: int
    tie: Sequence["TieSpec"]
    title: str
    units: Units


#: Unit of an accelerogram.
AccelerationUnit = Literal["g", "m/s2", "cm/s2"]

#: What comes after the last point of a table.
AfterEnd = Literal["hold", "zero", "repeat"]

#: What is taken off an accelerogram.
Baseline = Literal["none", "velocity", "displacement"]

#: Beds of a dome.
BedsSpec = Literal["radial", "level"]

#: How stones of one course lie over those of the course below.
BondSpec = Literal["stack", "running", "flemish", "english"]

#: One number in 2D, three in 3D.
Components = Union[float, Sequence[float]]

#: What is even in a distribution of sizes.
CountBySpec = Literal["number", "volume"]

#: What the tolerance of a step is about.
CriterionSpec = Literal["worst", "mean"]

#: What to do with overlaps.
Drift = Literal["none", "curvature", "device", "two_steps", "projection"]

#: Whether a drive prescribes a velocity or a way.
DriveKind = Literal["velocity", "displacement"]

#: Kinds of elements.
ElementName = Literal["T3", "T6", "Q4", "Q8", "TE4", "TE10", "H8", "H20", "PRI6", "PRI15"]

#: Shape in the place of a circle or sphere, within it and reaching it.
FormSpec = Union[
    "FormSpecBall", "FormSpecRegularPolygon", "FormSpecRandomPolygon", "FormSpecStar", "FormSpecFlake",
    "FormSpecPolyhedron", "FormSpecClump", "FormSpecMeshes"
]

#: What a body keeps while it grows.
GrowthKeeps = Literal["density", "mass"]

#: Treatment of the gyroscopic moment.
Gyroscopic = Literal["omitted", "explicit", "implicit"]

#: What to do with a step that has no solution.
Inconsistent = Literal["report", "orowan", "stop"]

#: A moment of inertia in 2D; in 3D three moments about axes that are principal, or a tensor.
Inertia = Union[float, Sequence[float], Sequence[Sequence[float]]]

#: How the stiffness is integrated.
IntegrationName = Literal["full", "reduced", "b-bar"]

#: What lies between two points of a table.
Interpolation = Literal["linear", "step", "smooth"]

#: A lattice.
LatticeKind = Literal["square", "hexagonal", "cubic", "face_centred"]

#: What one stands for in a file without units.
LengthUnit = Literal["m", "km", "dm", "cm", "mm", "um", "in", "ft"]

#: Where Signorini's condition holds.
Level = Literal["velocity", "position"]

#: A structure of stones.
MasonrySpec = Union[
    "MasonrySpecWall", "MasonrySpecTwoLeaves", "MasonrySpecArch", "MasonrySpecBarrelVault",
    "MasonrySpecCrossVault", "MasonrySpecDome", "MasonrySpecColumn", "MasonrySpecBattered",
    "MasonrySpecArena"
]

#: How the mass of an element is shared by its nodes.
MassName = Literal["consistent", "lumped"]

#: How stress follows strain.
MaterialLawName = Literal["elastic", "neo-hookean", "mooney-rivlin", "saint-venant", "plastic", "orthotropic"]

#: Which solver.
Method = Literal[
    "nlgs", "accelerated", "anderson", "proximal", "interior", "jacobi", "cpg", "apgd", "admm", "uzawa",
    "auto"
]

#: One name, or several.
NamesSpec = Union[str, Sequence[str]]

#: In which order a sweep visits the contacts.
OrderSpec = Literal["cyclic", "identity", "reversed", "random"]

#: How grains find their places.
PackingSpec = Union["PackingSpecLattice", "PackingSpecRandom", "PackingSpecDeposit", "PackingSpecGrowth"]

#: What a body of the plane is in space.
PlaneName = Literal["strain", "stress", "axisymmetric"]

#: Where a wall pushes.
PushDirection = Literal["+x", "-x", "+y", "-y", "+z", "-z"]

#: What a probe records.
Quantity = Literal[
    "position", "velocity", "angle", "orientation", "spin", "force", "energy", "mass", "count",
    "displacement", "reaction", "moment", "tension", "elongation", "coordinate", "stored"
]

#: What may end a stage.
ReachedQuantity = Literal[
    "position", "displacement", "velocity", "force", "kinetic_energy", "bodies", "contacts"
]

#: A region that holds grains.
RegionSpec = Union[
    "RegionSpecBox", "RegionSpecDisk", "RegionSpecSphere", "RegionSpecCylinder", "RegionSpecDrum",
    "RegionSpecWalls", "RegionSpecMesh"
]

#: What becomes of bodies at rest that could stay where the solver sets them in motion.
RestRule = Literal["prefer", "report", "solver"]

#: The shape of a body: the name of one under `shapes`, or the shape itself.
ShapeRef = Union[str, "ShapeSpec"]

#: The form of a body in its own axes. In 2D: disk, line, polygon, box, rounded_rectangle, capsule,
#: hollow_disk, polyline, point, elements, cluster. In 3D: sphere, plane, box, polyhedron, cylinder, capsule,
#: hollow_cylinder, mesh, height_field, point, elements, cluster.
ShapeSpec = Union[
    "ShapeSpecDisk", "ShapeSpecLine", "ShapeSpecPolygon", "ShapeSpecRoundedRectangle",
    "ShapeSpecCapsule", "ShapeSpecHollowDisk", "ShapeSpecPolyline", "ShapeSpecPoint", "ShapeSpecBox",
    "ShapeSpecSphere", "ShapeSpecPlane", "ShapeSpecPolyhedron", "ShapeSpecCylinder",
    "ShapeSpecHollowCylinder", "ShapeSpecMesh", "ShapeSpecElements", "ShapeSpecHeightField",
    "ShapeSpecCluster"
]

#: A number that may change in time: a number, a formula in `t` [s] as text, or a table.
SignalSpec = Union[float, str, "CurveSpec"]

#: Distribution of radii.
SizesSpec = Union[
    "SizesSpecMono", "SizesSpecUniform", "SizesSpecTwo", "SizesSpecBeta", "SizesSpecLogNormal",
    "SizesSpecSieve"
]

#: Which measure of strain a law goes by.
StrainName = Literal["finite", "small"]

#: How forces and laws enter a step.
Strategy = Literal["moreau-jean", "acd2"]

#: What a tie does.
TieKind = Literal[
    "fixed", "pin", "spherical", "hinge", "slider", "cylindrical", "universal", "screw", "rack",
    "spring", "torsion", "rod", "wire", "coupled"
]

#: What is made of a polygon or a mesh.
Treat = Literal["convex", "decompose", "surface"]

#: System of units of every number in the file.
Units = Literal["SI"]
