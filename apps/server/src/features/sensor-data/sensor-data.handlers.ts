import type { Handlers } from "#http/endpoints.ts";
import { notFound } from "#lib/errors.ts";
import type { SensorDataReadModel } from "./sensor-data.read-model.ts";

const names = { current: "Sensor data at or before that time", previous: "Earlier sensor data", next: "Later sensor data" } as const;

export function sensorDataHandlers(readModel: SensorDataReadModel): Pick<Handlers, "getSensorData"> {
  return {
    async getSensorData({ params: { serial, type }, query: { offset } }) {
      const record = await readModel.find(Number(serial), type, offset);
      if (record) return record;
      if (!(await readModel.nodeExists(Number(serial)))) throw notFound(`Node ${serial}`);
      throw notFound(`${names[type]} of node ${serial}`);
    },
  };
}
