/** From a node `n` to its assignment `a`, location `l`, facility `f` and customer `c`. */
export const placeOfNode = `left join node_assignment a on a.serial_number = n.serial_number left join location l on l.id = a.location_id
  left join facility f on f.id = l.facility_id left join customer c on c.id = f.customer_id`;

/** To the list of decommissioned nodes, `d`, and whose it is, `rc`. */
export const listOfNode =
  "left join decommissioned_node d on d.serial_number = n.serial_number left join customer rc on rc.id = d.customer_id";
