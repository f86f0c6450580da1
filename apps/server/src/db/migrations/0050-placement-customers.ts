// Whose a stay was, for programs of customers, and its zone, which outlives the place. Names are not enough: they change, and may be given again.
export const statements = [
  `alter table node_placement add column customer_id integer, add column timezone text`,
  `create function complete_node_placement() returns trigger language plpgsql as $$
    begin
      select f.customer_id, l.timezone into new.customer_id, new.timezone
      from location l join facility f on f.id = l.facility_id where l.id = new.location_id;
      return new;
    end $$`,
  `create trigger complete_node_placement before insert on node_placement for each row execute function complete_node_placement()`,
  // Of earlier stays the name says it, where only one customer has it.
  `update node_placement p set timezone = l.timezone, customer_id = case when p.ended_at is null then f.customer_id else (
       select min(c.id) from customer c where c.name = p.customer_name having count(*) = 1) end
     from location l join facility f on f.id = l.facility_id where l.id = p.location_id`,
];
