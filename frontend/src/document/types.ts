// The document as the Python package describes it (flexframe.reports.document), field for field.

/** A numeric array after decoding; `imaginary` only for complex arrays that need it. */
export interface NumericArray {
  shape: number[];
  values: Float32Array | Int32Array;
  imaginary?: Float32Array;
}

export type Cell = string | number | boolean | null;

export interface Text { kind: "Text"; text: string }
export interface Notice { kind: "Notice"; level: "info" | "warning" | "error"; text: string }
export interface KeyValue { label: string; value: Cell; unit: string; note: string; digits: number }
export interface KeyValues { kind: "KeyValues"; items: KeyValue[] }
export interface Check { label: string; value: Cell; unit: string; limit: number | null; otherwise: string; digits: number }
export interface Quality { kind: "Quality"; checks: Check[] }
export interface Column { header: string; unit: string; digits: number; of_row?: boolean }
export interface Table { kind: "Table"; columns: Column[]; rows: Cell[][]; caption: string }
export interface Matrix {
  kind: "Matrix"; name: string; values: Cell[][]; row_labels: string[]; column_labels: string[];
  unit: string; digits: number; caption: string;
}
export interface Code {
  kind: "Code"; text: string; language: "yaml" | "python" | "plain"; caption: string; collapsed: boolean;
}

export interface Axis { label: string; unit: string; log: boolean; minimum: number | null; maximum: number | null }
export interface PointLinks { scene: string; modes: NumericArray | null; times: NumericArray | null }
export interface Series {
  name: string; x: NumericArray; y: NumericArray; colour: string;
  line: boolean; markers: boolean; dashed: boolean; links: PointLinks | null;
}
export interface ReferenceLine { kind: "ReferenceLine"; label: string; slope: number; intercept: number }
export interface VerticalLine { kind: "VerticalLine"; label: string; x: number }
export interface Band { name: string; x: NumericArray; lower: NumericArray; upper: NumericArray; colour: string }
export interface Cursor { scene: string; times: NumericArray; x: NumericArray }
export interface Plot {
  kind: "Plot"; title: string; x: Axis; y: Axis; series: Series[];
  reference_lines: (ReferenceLine | VerticalLine)[]; bands: Band[]; cursor: Cursor | null;
  caption: string; height: number;
}

export interface Skin { nodes: NumericArray; offsets: NumericArray }
export interface Part {
  name: string; nodes: NumericArray; triangles: NumericArray | null; lines: NumericArray | null;
  edges: NumericArray | null; radius: number; colour: string; skin: Skin | null; symbol: boolean; label: string;
}
export interface Mode { label: string; displacement: (NumericArray | null)[]; frequency: string; group: string }
export interface Modes { kind: "Modes"; modes: Mode[]; first: number }
export interface PartMotion {
  positions: NumericArray | null; rotations: NumericArray | null; displacements: NumericArray | null;
}
export interface ForceArrow { label: string; origins: NumericArray; vectors: NumericArray; unit: string; colour: string }
export interface Trace { name: string; points: NumericArray; colour: string }
export interface Link {
  name: string; first: NumericArray; second: NumericArray; form: "spring" | "damper" | "spring and damper" | "rod"; colour: string;
}
export interface History {
  kind: "History"; times: NumericArray; motions: PartMotion[]; arrows: ForceArrow[]; traces: Trace[]; links: Link[];
}
export interface StaticShape { kind: "StaticShape"; displacement: (NumericArray | null)[] }
export interface ScalarField { name: string; values: (NumericArray | null)[]; unit: string }
export interface Scene {
  kind: "Scene"; id: string; title: string; parts: Part[]; content: Modes | History | StaticShape;
  fields: ScalarField[]; displacement_unit: string; displacement_factor: number; true_size: boolean; view: "auto" | "xy" | "corner";
  autoplay: boolean; caption: string; height: number;
}

export interface Row { kind: "Row"; blocks: Block[] }
export type Block = Text | Notice | KeyValues | Quality | Table | Matrix | Code | Plot | Scene | Row;
export interface Section { title: string; blocks: Block[] }
export interface Document {
  kind: "Document"; title: string; sections: Section[]; case_name: string; version: string; meta: [string, string][];
}
