-- A path as it stands in an address: every byte that may not stand there is written %XX (RFC 3986).
create function uri_path(path text) returns text language sql immutable strict parallel safe as $$
  select case when path ~ '^[A-Za-z0-9_./~-]*$' then path else (
    select string_agg(
      case when sign ~ '[A-Za-z0-9_./~-]' then sign
           else regexp_replace(upper(encode(convert_to(sign, 'UTF8'), 'hex')), '(..)', '%\1', 'g') end, '' order by at)
    from regexp_split_to_table(path, '') with ordinality as signs (sign, at)
  ) end
$$;
--> statement-breakpoint
-- A row that names a stored file lets it go: the file is removed once that is committed (channel `files`), unless another row names it.
-- The argument is the column. An address of a file elsewhere has a scheme, which no path has.
create function discard_file() returns trigger language plpgsql as $$
declare
  path text;
begin
  execute format('select ($1).%I', tg_argv[0]) into path using old;
  if path <> '' and path !~* '^[a-z][a-z0-9+.-]*:' then
    insert into loose_file (path, since) values (path, '-infinity') on conflict on constraint loose_file_pkey do update set since = excluded.since;
    perform pg_notify('files', '');
  end if;
  return null;
end
$$;
--> statement-breakpoint
create function keep_files(kind regclass, file_column name) returns void language plpgsql as $$
begin
  execute format('create trigger discard_file after delete on %s for each row when (old.%I <> '''') execute function discard_file(%L)',
    kind, file_column, file_column);
  execute format('create trigger discard_replaced_file after update of %I on %s for each row
    when (old.%I <> '''' and old.%I is distinct from new.%I) execute function discard_file(%L)',
    file_column, kind, file_column, file_column, file_column, file_column);
end
$$;
--> statement-breakpoint
select keep_files('part', 'image'), keep_files('company', 'image');
