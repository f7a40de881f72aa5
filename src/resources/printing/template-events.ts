import type { Deletion, Resource, Write } from '../../kit/definition/resource.ts'
import { listChanges } from '../user/security-event/list-changes.ts'
import { type EventKind, recordEvent } from '../user/security-event/record-event.ts'

/**
 * Records the creation, changes and deletion of the templates of a resource as security events: printed documents depend on them. A file is
 * recorded by its path, which differs for each upload.
 */
export function recordTemplateEvents(definition: Resource): Resource {
  const template_kind = definition.path.slice('/api/'.length, -1)
  const names = Object.keys(definition.fields).filter((name) => {
    const { column, input } = definition.fields[name] ?? {}
    return column !== undefined && input !== undefined
  })
  const record = (kind: EventKind, context: Write | Deletion, details: Record<string, unknown>) =>
    recordEvent(context, { kind, actor: context.caller.pk, details: { template_kind, ...details } })
  return {
    ...definition,
    async afterCreate(write, pk) {
      await definition.afterCreate?.(write, pk)
      const changes = listChanges(
        names.filter((name) => write.after(name) !== undefined),
        () => null,
        write.after,
      )
      await record('template_made', write, { pk, ...changes })
    },
    async afterUpdate(write, pk) {
      await definition.afterUpdate?.(write, pk)
      const changes = listChanges(names, (name) => write.before?.[name], write.after)
      if (Object.keys(changes).length > 0)
        await record('template_changed', write, { pk, name: write.before?.name ?? write.before?.filename, ...changes })
    },
    async beforeDelete(deletion) {
      await definition.beforeDelete?.(deletion)
      const { row } = deletion
      const changes = listChanges(
        names,
        (name) => row[name],
        () => null,
      )
      await record('template_deleted', deletion, { pk: row.pk, ...changes })
    },
  }
}
