-- The service writes the settings that are missing when it starts. A row that says what holds without it gives no part another name: with
-- very many parts, looking at each took longer than a start may.
create function default_part_name_format() returns text language sql immutable as $$
  select '{{ part.IPN if part.IPN }}{{ '' | '' if part.IPN }}{{ part.name }}{{ '' | '' if part.revision }}{{ part.revision if part.revision }}'
$$;--> statement-breakpoint

create or replace function part_name_format() returns text language sql stable as $$
  select coalesce((select nullif(value, '') from setting where key = 'PART_NAME_FORMAT'), default_part_name_format())
$$;--> statement-breakpoint

create or replace function name_all_parts() returns trigger language plpgsql as $$
begin
  -- of a row that is new or gone there is no value
  if coalesce(nullif(old.value, ''), default_part_name_format()) = coalesce(nullif(new.value, ''), default_part_name_format()) then
    return null;
  end if;
  perform pg_advisory_xact_lock(hashtext('part_name_format'), 0);
  -- The trigger of the part writes the name; this only finds the parts that get another one.
  update part p set full_name = '' where full_name <> part_full_name(part_name_format(), to_jsonb(p));
  return null;
end
$$;
