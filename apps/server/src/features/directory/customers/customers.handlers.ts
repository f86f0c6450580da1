import type { Handlers } from "#http/endpoints.ts";
import type { CustomersService } from "./customers.service.ts";
import type { DecommissionedNodesService } from "./decommissioned-nodes.service.ts";
import type { FacilitiesService } from "./facilities.service.ts";

export interface DirectoryServices {
  customers: CustomersService;
  facilities: FacilitiesService;
  decommissionedNodes: DecommissionedNodesService;
}

export function customersHandlers({ customers, facilities, decommissionedNodes }: DirectoryServices) {
  return {
    createCustomer: ({ body }, { caller }) => customers.create(caller, body),
    updateCustomer: ({ params, body }, { caller }) => customers.update(caller, params.id, body),
    deleteCustomer: ({ params, query }, { caller }) => customers.delete(caller, params.id, params.code, query.confirm),
    createFacility: ({ params, body }, { caller }) => facilities.create(caller, params.id, body),
    updateFacility: ({ params, body }, { caller }) => facilities.update(caller, params.id, params.facilityId, body),
    deleteFacility: ({ params, query }, { caller }) => facilities.delete(caller, params.id, params.facilityId, params.code, query.confirm),
    setFacilityManagers: ({ params, query, body }, { caller }) =>
      facilities.setManagers(caller, params.id, params.facilityId, body, query.revision),
    moveFacility: ({ params }, { caller }) => facilities.move(caller, params.id, params.facilityId, params.newCustomerId),
    createDecommissionedNode: ({ params, body }, { caller }) => decommissionedNodes.create(caller, params.id, body),
    async deleteDecommissionedNode({ params }, { caller }) {
      await decommissionedNodes.delete(caller, params.id, params.serial);
      return { deleted: true };
    },
  } satisfies Partial<Handlers>;
}
