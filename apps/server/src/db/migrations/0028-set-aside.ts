export const statements = [
  // What a service cannot do its work on: it goes on without it and tries it again from time to time.
  `create table service_set_aside (
    service text not null,
    kind text not null,
    item text not null,
    reason text not null,
    tries integer not null,
    first_at timestamptz not null,
    last_at timestamptz not null,
    next_try_at timestamptz not null,
    primary key (service, kind, item)
  )`,

  // Numbers throughout: some were written as one text, as they are on the wire.
  `update location l set harmonic_signatures = s.pairs from (
     select id, jsonb_agg(jsonb_build_array(pair -> 0, case jsonb_typeof(pair -> 1) when 'string'
         then (select jsonb_agg(trim(f)::numeric order by n) from unnest(string_to_array(pair ->> 1, ';')) with ordinality u (f, n)) else pair -> 1 end) order by place) as pairs
     from location, jsonb_array_elements(case jsonb_typeof(harmonic_signatures) when 'array' then harmonic_signatures else '[]' end) with ordinality p (pair, place)
     where jsonb_typeof(pair) = 'array' and jsonb_typeof(pair -> 0) = 'string' and (jsonb_typeof(pair -> 1) = 'array'
       or pair ->> 1 ~ '^\\s*[+-]?(\\d{1,9}(\\.\\d{0,6})?|\\.\\d{1,6})\\s*(;\\s*[+-]?(\\d{1,9}(\\.\\d{0,6})?|\\.\\d{1,6})\\s*)*$')
     group by id) s
   where s.id = l.id and s.pairs <> l.harmonic_signatures`,
];
