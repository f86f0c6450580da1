/** Values of the basic types. 64-bit integers beyond 2^53 are `bigint`, all other numbers are `number`. */
export type ScalarValue = number | bigint | boolean | string | null;

export type MetricValue = ScalarValue | Uint8Array | DataSet | Template;

export interface DataSet {
  columns: string[];
  /** One `DataType` per column, basic types only. */
  types: number[];
  /** Each row has one element per column. */
  rows: ScalarValue[][];
}

/** Template instance or definition; its parameters are not read. */
export interface Template {
  version?: string;
  templateRef?: string;
  isDefinition: boolean;
  metrics: Metric[];
}

export interface PropertyValue {
  type: number;
  value: ScalarValue;
}

/** A Map, because the keys are a device's strings. */
export type PropertySet = Map<string, PropertyValue>;

/** Describes a File metric and its parts. */
export interface MetaData {
  isMultiPart?: boolean;
  contentType?: string;
  /** Bytes of the whole file. */
  size?: number;
  /** Number of this part, from 0. */
  seq?: number;
  fileName?: string;
  fileType?: string;
  /** Hex digest of the whole file. */
  md5?: string;
  description?: string;
}

export interface Metric {
  name: string | undefined;
  alias: number | undefined;
  /** Acquisition time, epoch milliseconds. */
  timestamp: number | undefined;
  /** Absent in DATA and CMD messages: the birth has it. */
  datatype: number | undefined;
  isHistorical: boolean;
  isTransient: boolean;
  isNull: boolean;
  value: MetricValue;
  metadata: MetaData | undefined;
  properties: PropertySet | undefined;
}

export interface Payload {
  /** Of one that came compressed: bytes that its values may hold in memory. */
  inflatedBytes?: number;
  /** Publish time, epoch milliseconds. */
  timestamp: number | undefined;
  /** 0-255; undefined when the field is absent, as in NDEATH and NCMD. */
  seq: number | undefined;
  metrics: Metric[];
  uuid: string | undefined;
  body: Uint8Array | undefined;
}

/** A metric to send; what is left out is absent or false. */
export type MetricInput = Partial<Metric>;

/** A payload to send. */
export interface PayloadInput {
  timestamp?: number;
  seq?: number;
  metrics: readonly MetricInput[];
  uuid?: string;
  body?: Uint8Array;
}
