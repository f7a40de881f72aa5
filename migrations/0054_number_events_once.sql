-- Works out each position once, whatever plan is taken: in a nested loop the places were taken anew for each event, which costs the square
-- of their number. A hash join looks at each event twice.
create or replace function number_events(most integer) returns integer language plpgsql
set enable_seqscan = off set enable_nestloop = off set enable_mergejoin = off as $$
declare
  numbered integer;
begin
  perform pg_advisory_xact_lock(hashtext('events'), 0);
  with next as materialized (
    select id, nextval('event_position_seq') as position
    from (select id from event where position is null order by id limit most) unnumbered
  )
  update event set position = next.position from next where event.id = next.id and event.position is null;
  get diagnostics numbered = row_count;
  if numbered > 0 then perform pg_notify('events', ''); end if;
  return numbered;
end
$$;
