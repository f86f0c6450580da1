// A place that moved while a node was taken off it began a stay that nobody ended: whoever writes a node's stays holds the node
// first, and reads after that.
export const statements = [
  `create or replace function follow_node_placement() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'INSERT' then
        perform from node where serial_number = old.serial_number for no key update;
        update node_placement set ended_at = now() where serial_number = old.serial_number and ended_at is null;
      end if;
      if tg_op <> 'DELETE' then
        insert into node_placement (serial_number, location_id, slot, customer_name, facility_name, location_name)
        select new.serial_number, new.location_id, new.slot, c.name, f.name, l.name
        from location l join facility f on f.id = l.facility_id join customer c on c.id = f.customer_id where l.id = new.location_id;
      end if;
      return null;
    end $$`,
  `create or replace function follow_moved_place() returns trigger language plpgsql as $$
    declare moved integer[];
    begin
      if tg_table_name = 'location' then moved := array[new.id];
      else moved := array(select id from location where facility_id = new.id);
      end if;
      perform from node where serial_number in (select serial_number from node_assignment where location_id = any (moved))
        order by serial_number for no key update;
      update node_placement set ended_at = now() where location_id = any (moved) and ended_at is null;
      insert into node_placement (serial_number, location_id, slot, customer_name, facility_name, location_name)
      select a.serial_number, l.id, a.slot, c.name, f.name, l.name
      from node_assignment a join location l on l.id = a.location_id join facility f on f.id = l.facility_id join customer c on c.id = f.customer_id
      where l.id = any (moved);
      return null;
    end $$`,
  `update node_placement p set ended_at = greatest(started_at, now()) where ended_at is null
     and not exists (select from node_assignment a where a.serial_number = p.serial_number and a.location_id = p.location_id and a.slot = p.slot)`,

  // Where a node was before: asked for when it retires, by the plots of its files, and by the deletion of the node.
  `create index node_placement_node on node_placement (serial_number, id desc)`,
];
