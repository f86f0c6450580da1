import { getCustomerNames } from "@busbar/contract/directory/customer-names.ts";
import { getUserReport } from "@busbar/contract/office/user-report.ts";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useApi } from "#api/api-context.ts";

export interface UserReportChoice {
  /** Empty: all customers. */
  customerCode: string;
  includeInternalUsers: boolean;
  includeInactiveUsers: boolean;
}

export function useCustomerNames() {
  const call = useApi();
  return useQuery({ queryKey: ["customer-names"], queryFn: ({ signal }) => call(getCustomerNames, {}, { signal }) });
}

export function useUserReport() {
  const call = useApi();
  const flag = (isSet: boolean) => (isSet ? ("true" as const) : ("false" as const));
  return useMutation({
    mutationFn: (choice: UserReportChoice) =>
      call(getUserReport, {
        query: {
          ...(choice.customerCode === "" ? {} : { customer_code: choice.customerCode }),
          include_internal_users: flag(choice.includeInternalUsers),
          include_inactive_users: flag(choice.includeInactiveUsers),
        },
      }),
  });
}
