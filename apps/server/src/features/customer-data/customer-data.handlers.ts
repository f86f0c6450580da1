import type { Call, ApiClient, Handlers } from "#http/endpoints.ts";
import { forbidden } from "#lib/errors.ts";
import type { CustomerDataReadModel } from "./customer-data.read-model.ts";
import { redactLocation } from "./customer-data.view.ts";

export function customerDataHandlers(readModel: CustomerDataReadModel): Pick<Handlers, "getCustomerLocations"> {
  return {
    async getCustomerLocations(_input, call) {
      const client = requireApiClient(call);
      const locations = await readModel.findLocations(client.customerId);
      return client.isDemoUser ? locations.map(redactLocation) : locations;
    },
  };
}

/** The program of a call that only customers' programs make. */
function requireApiClient(call: Call): ApiClient {
  if (!call.apiClient) throw forbidden("This call is for customers' programs: send an API key or an access key");
  return call.apiClient;
}
