import { dataPointKeys, sensorDataGroup } from "@busbar/contract/files/data-point-keys.ts";

export type SensorValue = number | string | null;
export type SensorEntry = readonly [key: string, value: SensorValue];

/** One quantity with its average, smallest and largest value. */
export interface StatisticRow {
  name: string;
  average: SensorValue;
  minimum: SensorValue;
  maximum: SensorValue;
}

/** The harmonics of one order, by channel such as `V1`. */
export interface HarmonicOrder {
  /** SEN-03: the last three characters of the keys. */
  suffix: string;
  values: ReadonlyMap<string, SensorValue>;
}

export interface SensorGroups {
  nameplate: SensorEntry[];
  field: SensorEntry[];
  statistics: StatisticRow[];
  plain: SensorEntry[];
  channels: string[];
  harmonics: HarmonicOrder[];
}

const suffixLength = 3;
const places = new Map(dataPointKeys.map((key, place) => [key, place]));

/** In the order of the file; keys that are new to us come last. */
const placeOf = (key: string): number => places.get(key) ?? dataPointKeys.length;

/** SEN-03: np* nameplate, field* field node, harmonic* by their last three characters, everything else plain. */
export function groupSensorData(sensorData: Readonly<Record<string, SensorValue>>): SensorGroups {
  const entries = Object.entries(sensorData).toSorted(([a], [b]) => placeOf(a) - placeOf(b));
  const of = (group: string) => entries.filter(([key]) => sensorDataGroup(key) === group);
  const plain = of("plain");
  const statistics = statisticsOf(plain);
  const inTable = new Set(statistics.flatMap(({ name }) => [`${name}Avg`, `${name}Min`, `${name}Max`]));
  return {
    nameplate: of("nameplate"),
    field: of("field"),
    statistics,
    plain: plain.filter(([key]) => !inTable.has(key)),
    ...harmonicsOf(of("harmonic")),
  };
}

function statisticsOf(entries: readonly SensorEntry[]): StatisticRow[] {
  const values = new Map(entries);
  return entries.flatMap(([key, average]) => {
    const name = key.endsWith("Avg") ? key.slice(0, -3) : undefined;
    if (name === undefined || !values.has(`${name}Min`) || !values.has(`${name}Max`)) return [];
    return [{ name, average, minimum: values.get(`${name}Min`) ?? null, maximum: values.get(`${name}Max`) ?? null }];
  });
}

function harmonicsOf(entries: readonly SensorEntry[]): Pick<SensorGroups, "channels" | "harmonics"> {
  const channels = new Set<string>();
  const orders = new Map<string, Map<string, SensorValue>>();
  for (const [key, value] of entries) {
    const suffix = key.slice(-suffixLength);
    const channel = key.slice("harmonic".length, -suffixLength).replace(/_$/, "");
    channels.add(channel);
    orders.set(suffix, (orders.get(suffix) ?? new Map()).set(channel, value));
  }
  const harmonics = [...orders].map(([suffix, values]) => ({ suffix, values })).toSorted((a, b) => a.suffix.localeCompare(b.suffix));
  return { channels: [...channels], harmonics };
}
