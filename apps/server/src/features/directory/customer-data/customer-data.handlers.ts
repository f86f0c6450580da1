import type { Call, ApiClient, Handlers } from "#http/endpoints.ts";
import { forbidden } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";
import type { CustomerDataReadModel } from "./customer-data.read-model.ts";

export function customerDataHandlers(readModel: CustomerDataReadModel): Pick<Handlers, "getCustomerLocations"> {
  return {
    getCustomerLocations: (_input, call) => readModel.findLocations(requireApiClient(call).customerId),
  };
}

/** The program of a call that only customers' programs make. */
function requireApiClient(call: Call): ApiClient {
  if (!call.apiClient) throw forbidden(say`This call is for customers' programs: send an API key or an access key`);
  return call.apiClient;
}
