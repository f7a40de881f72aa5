ALTER TABLE "part" ADD COLUMN "full_name" text collate "C" DEFAULT '' NOT NULL;--> statement-breakpoint

-- What people call a part: its name in the format of the setting PART_NAME_FORMAT. It is shown wherever a part is, so it is
-- written down when the part or the setting changes. The triggers here are the only writers of the column.

-- The format in force; without a row in "setting" it is the default, which the definition of the setting also has.
create function part_name_format() returns text language sql stable as $$
  select coalesce(
    (select nullif(value, '') from setting where key = 'PART_NAME_FORMAT'),
    '{{ part.IPN if part.IPN }}{{ '' | '' if part.IPN }}{{ part.name }}{{ '' | '' if part.revision }}{{ part.revision if part.revision }}'
  )
$$;

-- What stands between {{ and }}: a field (part.name) or a quoted text; "if" and a field says when, "else" what otherwise.
create function part_name_piece(expression text, part jsonb) returns text language plpgsql immutable as $$
declare
  term constant text := '(part\.\w+|''[^'']*''|"[^"]*")';
  found text[] := regexp_match(expression, '^\s*' || term || '(?:\s+if\s+part\.(\w+)(?:\s+else\s+' || term || ')?)?\s*$');
  shown text := found[1];
begin
  if found[2] is not null and coalesce(part -> found[2], 'null') in ('null', '""', 'false', '0') then shown := found[3]; end if;
  if shown like 'part.%' then return part ->> substr(shown, 6); end if;
  return substr(shown, 2, length(shown) - 2);
end
$$;

-- A part's name in a format. A format that says nothing about the part gives its plain name.
create function part_full_name(format text, part jsonb) returns text language plpgsql immutable as $$
declare
  rest text := format;
  whole text := '';
  opened integer;
  closed integer;
begin
  part := part || jsonb_build_object('id', part -> 'pk');
  loop
    opened := position('{{' in rest);
    closed := position('}}' in rest);
    exit when opened = 0 or closed < opened;
    whole := whole || left(rest, opened - 1) || coalesce(part_name_piece(substr(rest, opened + 2, closed - opened - 2), part), '');
    rest := substr(rest, closed + 2);
  end loop;
  return coalesce(nullif(trim(whole || rest), ''), part ->> 'name');
end
$$;

-- Parts that are written share this lock, and the setting takes it for itself: no part keeps a name of the format before.
create function name_part() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtext('part_name_format'), 0);
  new.full_name := part_full_name(part_name_format(), to_jsonb(new));
  return new;
end
$$;

create trigger name_part before insert or update on part
  for each row execute function name_part();

create function name_all_parts() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('part_name_format'), 0);
  -- The trigger of the part writes the name; this only finds the parts that get another one.
  update part p set full_name = '' where full_name <> part_full_name(part_name_format(), to_jsonb(p));
  return null;
end
$$;

create trigger name_all_parts after insert or update on setting
  for each row when (new.key = 'PART_NAME_FORMAT') execute function name_all_parts();
create trigger name_all_parts_delete after delete on setting
  for each row when (old.key = 'PART_NAME_FORMAT') execute function name_all_parts();

update part set full_name = '';
