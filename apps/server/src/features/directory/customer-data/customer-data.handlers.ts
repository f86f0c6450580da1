import type { Handlers } from "#http/endpoints.ts";
import { forbidden } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";
import type { CustomerDataReadModel } from "./customer-data.read-model.ts";

export function customerDataHandlers(readModel: CustomerDataReadModel) {
  return {
    getCustomerLocations(_input, { apiClient }) {
      if (!apiClient) throw forbidden(say`This call is for customers' programs: send an API key or an access key`);
      return readModel.findLocations(apiClient.customerId);
    },
  } satisfies Partial<Handlers>;
}
