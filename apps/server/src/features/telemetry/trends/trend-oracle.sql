-- $1 serial number, $2 from, $3 to, $4 length of a point (0: days of the zone $5), $6 interval of scalars
-- A minute is the mean of its values; a longer time that of its minutes, each weighted with the seconds that its values stand for.
with kept as (
  select extract(epoch from ts) as t, current1::float8 as v from scalar where serial_number = $1 and current1 is not null
), minute as (
  select floor(t / 60) * 60 as m, avg(v) as mean, min(v) as low, max(v) as high, least(60, count(*) * $6::float8) as weight from kept group by 1
), placed as (
  select *, case when $4::float8 > 0 then floor(m / nullif($4::float8, 0)) * $4::float8
    else extract(epoch from date_trunc('day', to_timestamp(m) at time zone $5) at time zone $5) end as point
  from minute
), bounds as (
  select case when $4::float8 > 0 then floor($2::float8 / nullif($4::float8, 0)) * $4::float8
      else extract(epoch from date_trunc('day', to_timestamp($2::float8) at time zone $5) at time zone $5) end as first
)
select point::float8 as at, (sum(mean * weight) / sum(weight))::float8 as mean, min(low)::float8 as low, max(high)::float8 as high
from placed, bounds where point >= first and case when $4::float8 > 0 then m < ceil($3::float8 / nullif($4::float8, 0)) * $4::float8
  else point < $3::float8 end
group by point order by point
