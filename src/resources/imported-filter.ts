import type { Filter } from '../kit/definition/filter.ts'

/** A filter for the objects that an import created or changed. @param type the type of the import */
export const importedFilter = (type: string): Record<string, Filter> => ({
  imported: {
    kind: 'number',
    sql: `{pk} in (select r.object {from import_row} r {join import_session} s on s.pk = r.session
      where r.session = {@value} and r.complete and r.action <> 'skip' and s.model_type = '${type}'
        and (s."user" = {@caller} or {@staff}))`,
    help: 'The import session that created or changed them, until it is deleted.',
  },
})
