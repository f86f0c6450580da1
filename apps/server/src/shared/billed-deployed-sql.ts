/**
 * Since when the place of a node (`n`, assigned by `a`) is billed as Deployed; null when it is not. A node that came by a swap and has the status
 * with which it came counts as the one before it did.
 */
export const deployedSince = `case when n.current_deployment_status = 'Deployed' then n.current_deployment_status_updated_at
  when n.current_deployment_status = 'Pre-Deployment' then (
    select b.deployed_since from node_swap b
    where b.new_serial_number = n.serial_number and b.location_id = a.location_id and b.slot = a.slot
      and n.current_deployment_status_updated_at <= b.swapped_at order by b.id desc limit 1) end`;
