import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { EpochSeconds } from "../values/epoch-seconds.ts";
import { serialNumberPattern } from "../values/serial-number.ts";

/** From what points are made: the finest that is kept for the range and gives no more of them than there is room for. */
export const trendResolutions = ["raw", "minute", "quarter", "day"] as const;
export type TrendResolution = (typeof trendResolutions)[number];

export const mostTrendSeries = 12;
export const mostTrendPoints = 4_000;
export const usualTrendPoints = 1_500;
export const longestTrendYears = 20;

/** One quantity of one node over a range. The lists have one entry for each point, the oldest first; where there is no data there are no points. */
export const TrendSeries = z.object({
  serialNumber: z.string(),
  /** An id of `quantities.ts`. */
  quantity: z.string(),
  /** Where the node is or was last in the range: what it sent from other places is not in this series, what the nodes before it sent from here is. Empty at no place. */
  customerName: z.string(),
  facilityName: z.string(),
  locationName: z.string(),
  locationId: z.nullable(z.int()),
  /** Of the place, UTC at none. */
  timezone: z.string(),
  resolution: z.enum(trendResolutions),
  /** Length of a point; 86,400 for each day that it covers, though days of the place may have 23 or 25 hours. */
  stepSeconds: z.number(),
  /** When each point begins. */
  timestamps: z.array(EpochSeconds),
  minimum: z.array(z.number()),
  /** What came together in a point, where the quantity is a sum. */
  mean: z.array(z.number()),
  maximum: z.array(z.number()),
  /** Share of the range for which there is data, 0 to 1. */
  completeness: z.number(),
  /** Of the whole range. Null: not known. Energy, time running and starts are the machine's, whichever quantity was asked for. */
  figures: z.object({
    minimum: z.nullable(z.number()),
    mean: z.nullable(z.number()),
    maximum: z.nullable(z.number()),
    percentile95: z.nullable(z.number()),
    /** Of a quantity that adds up. */
    total: z.nullable(z.number()),
    energyKwh: z.nullable(z.number()),
    runSeconds: z.nullable(z.number()),
    starts: z.nullable(z.number()),
  }),
  /** Lines to draw, in the unit of the quantity. */
  limits: z.array(z.object({ line: z.string(), value: z.number(), kind: z.enum(["nameplate", "limit"]) })),
});
export type TrendSeries = z.infer<typeof TrendSeries>;

export const Trends = z.object({ fromTimestamp: EpochSeconds, toTimestamp: EpochSeconds, series: z.array(TrendSeries) });
export type Trends = z.infer<typeof Trends>;

export interface SeriesName {
  serialNumber: string;
  quantity: string;
}

/** `10001:current,10002:powerKw` */
export const seriesText = (series: readonly SeriesName[]): string =>
  series.map(({ serialNumber, quantity }) => `${serialNumber}:${quantity}`).join(",");

export function readSeriesText(text: string): SeriesName[] {
  return text.split(",").map((part) => {
    const [serialNumber = "", quantity = ""] = part.split(":");
    return { serialNumber, quantity };
  });
}

const isSeries = (text: string, most: number): boolean => {
  const parts = text.split(",");
  return parts.length <= most && parts.every((part) => /^[1-9]\d{4}:[A-Za-z0-9_]{1,40}$/.test(part));
};
const SeriesList = z.pipe(
  z
    .string("series is a list such as 10001:current,10002:powerKw")
    .check(
      z.refine(
        (text) => isSeries(text, mostTrendSeries),
        `series is a list such as 10001:current,10002:powerKw, no longer than ${mostTrendSeries}`,
      ),
    ),
  z.transform(readSeriesText),
);

const Moment = (label: string) =>
  z.pipe(
    z.string(`${label} is a time in epoch seconds`).check(z.regex(/^\d{1,10}$/, `${label} is a time in epoch seconds`)),
    z.transform(Number),
  );
const Points = z.optional(
  z.pipe(
    z
      .string()
      .check(
        z.refine(
          (text) => /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= mostTrendPoints,
          `points is a whole number from 1 to ${mostTrendPoints}`,
        ),
      ),
    z.transform(Number),
  ),
);

export const getTrends = endpoint("GET /api/trends", {
  alsoV2: true,
  access: "staff",
  apiKeyScope: "read",
  summary: `Up to ${mostTrendSeries} series over any time, each with at most as many points as are asked for; for a customer's program too`,
  query: z.strictObject({ series: SeriesList, from: Moment("from"), to: Moment("to"), points: Points }),
  data: Trends,
});

const OneSeries = (label: string) =>
  z.pipe(
    z
      .string(`${label} is a node with a quantity, such as 10001:powerKw`)
      .check(z.refine((text) => isSeries(text, 1), `${label} is a node with a quantity, such as 10001:powerKw`)),
    z.transform((text) => readSeriesText(text)[0]!),
  );

export const trendMarkKinds = ["note", "event", "alarm", "placement", "config", "outage"] as const;
export type TrendMarkKind = (typeof trendMarkKinds)[number];
export const mostTrendMarks = 500;

/** What happened to a node, or to the platform. */
export const TrendMark = z.object({
  timestamp: EpochSeconds,
  /** Of what lasted; null while it lasts, and for what happened in a moment. */
  endTimestamp: z.nullable(EpochSeconds),
  /** Null: it concerns all nodes. */
  serialNumber: z.nullable(z.string()),
  kind: z.enum(trendMarkKinds),
  text: z.string(),
  /**
   * Leads to it: of a note and a placement `location/{id}`, of an event `event/{eventName}`, of an alarm and an outage `incident/{id}`, of a
   * change of configuration, and of an alarm that is of no incident, `node/{serial}`, of a swap that of the new node; null of an outage of the
   * platform, and where the place is gone.
   */
  ref: z.nullable(z.string()),
});
export type TrendMark = z.infer<typeof TrendMark>;

const isNodes = `nodes is a list such as 10001,10002, no longer than ${mostTrendSeries}`;

export const getTrendMarks = endpoint("GET /api/trends/marks", {
  access: "staff",
  summary:
    "What happened to nodes in a range: notes, events, alarms, placements, changed configuration parameters, outages of nodes, facilities and the platform",
  query: z.strictObject({
    nodes: z.pipe(
      z.string(isNodes).check(
        z.refine((text) => {
          const serials = text.split(",");
          return serials.length <= mostTrendSeries && serials.every((serial) => /^[1-9]\d{4}$/.test(serial));
        }, isNodes),
      ),
      z.transform((text) => text.split(",").map(Number)),
    ),
    from: Moment("from"),
    to: Moment("to"),
  }),
  /** The oldest first. With more than `mostTrendMarks` the newest of them. */
  data: z.object({ marks: z.array(TrendMark), isCut: z.boolean() }),
});

const series = { serialNumber: z.string(), quantity: z.string(), timezone: z.string(), resolution: z.enum(trendResolutions) };

/** Views of one machine look at single hours: so many days at most. */
export const longestTrendViewDays = 800;

export const TrendProfile = z.object({
  ...series,
  /** Hours by the clocks of the place for which there is data. */
  hours: z.array(
    z.object({
      /** 1 is Monday. */
      weekday: z.int(),
      hour: z.int(),
      mean: z.number(),
      coveredSeconds: z.number(),
    }),
  ),
});
export type TrendProfile = z.infer<typeof TrendProfile>;

export const getTrendProfile = endpoint("GET /api/trends/profile", {
  alsoV2: true,
  access: "staff",
  apiKeyScope: "read",
  summary: "Load profile: the mean of a quantity by weekday and hour of the place",
  query: z.strictObject({ series: OneSeries("series"), from: Moment("from"), to: Moment("to") }),
  data: TrendProfile,
});

export const TrendDuration = z.object({
  ...series,
  /** 101 values, from the smallest to the largest: at each place the value that so many percent of the time do not exceed. Empty without data. */
  percentiles: z.array(z.number()),
  coveredSeconds: z.number(),
});
export type TrendDuration = z.infer<typeof TrendDuration>;

export const getTrendDuration = endpoint("GET /api/trends/duration", {
  alsoV2: true,
  access: "staff",
  apiKeyScope: "read",
  summary: "Duration curve: for which share of the time a quantity is at most how large",
  query: z.strictObject({ series: OneSeries("series"), from: Moment("from"), to: Moment("to") }),
  data: TrendDuration,
});

export const TrendScatter = z.object({
  stepSeconds: z.number(),
  resolution: z.enum(trendResolutions),
  timestamps: z.array(EpochSeconds),
  /** Means of the same times. */
  x: z.array(z.number()),
  y: z.array(z.number()),
});
export type TrendScatter = z.infer<typeof TrendScatter>;

export const getTrendScatter = endpoint("GET /api/trends/scatter", {
  alsoV2: true,
  access: "staff",
  apiKeyScope: "read",
  summary: "Two quantities against each other: their means at the times at which there are both",
  query: z.strictObject({ x: OneSeries("x"), y: OneSeries("y"), from: Moment("from"), to: Moment("to"), points: Points }),
  data: TrendScatter,
});

/** A day of the place, of what a node measured at it. */
export const TrendDay = z.object({
  /** `yyyy-mm-dd` */
  date: z.string(),
  timestamp: EpochSeconds,
  /** 23 or 25 hours where the clocks change. */
  lengthSeconds: z.number(),
  energyKwh: z.nullable(z.number()),
  /** Cents, at the rate of the settings; null where none is set. */
  costCents: z.nullable(z.number()),
  runSeconds: z.nullable(z.number()),
  starts: z.nullable(z.number()),
});
export type TrendDay = z.infer<typeof TrendDay>;

export const getTrendDays = endpoint("GET /api/trends/days", {
  alsoV2: true,
  access: "staff",
  apiKeyScope: "read",
  summary: "Energy, its cost, time running and starts of a machine for each day of the place",
  query: z.strictObject({
    node: z
      .string("A serial number is 5 digits, the first not 0")
      .check(z.regex(serialNumberPattern, "A serial number is 5 digits, the first not 0")),
    from: Moment("from"),
    to: Moment("to"),
  }),
  data: z.object({
    serialNumber: z.string(),
    timezone: z.string(),
    /** Cents for a kilowatt hour; null where none is set. */
    rateCents: z.nullable(z.number()),
    days: z.array(TrendDay),
  }),
});
