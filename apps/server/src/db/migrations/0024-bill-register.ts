export const statements = [
  // Every bill that was made, for good, with its paper as it was sent. Names are the bill's own: what they name may go.
  `create table bill (
    number integer primary key check (number > 0),
    made_at timestamptz not null,
    made_by text not null,
    organization_id integer references billing_organization on delete set null,
    customer_name text not null,
    paid_thru_date date not null,
    bill_to_date date not null,
    invoice_number text not null,
    includes_energy boolean not null,
    amount_total bigint not null,
    content_hash bytea not null,
    pdf bytea not null,
    voided_at timestamptz,
    voided_by text,
    void_reason text,
    check (num_nulls(voided_at, voided_by, void_reason) in (0, 3))
  )`,
  `alter table bill alter column pdf set storage external`,
  `create unique index bill_content on bill (content_hash) where voided_at is null`,
  `create index bill_organization on bill (organization_id)`,

  // What a bill asks for: the days after paid_thru_date, up to bill_thru_date.
  `create table bill_line (
    bill_number integer references bill,
    location_id integer,
    customer_name text not null,
    facility_name text not null,
    location_name text not null,
    paid_thru_date date not null,
    bill_thru_date date not null,
    amount_due bigint not null,
    primary key (bill_number, location_id)
  )`,
  `create index bill_line_location on bill_line (location_id)`,
  `create index bill_line_bill_thru_date on bill_line (bill_thru_date)`,
];
