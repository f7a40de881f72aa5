import { Type } from 'typebox'
import * as f from '../../kit/definition/field.ts'
import type { Write } from '../../kit/definition/resource.ts'
import { getBuiltInSource } from '../../printing/defaults/built-in.ts'

const ORIGINS = ['shipped', 'changed', 'own'] as const

/**
 * Whether a template is one that comes with the service, one whose text was changed, or one of this installation.
 * @param file its column with the path of its file
 */
export const originField = (file: 'label' | 'template'): f.Field =>
  f.computed(
    Type.Union(ORIGINS.map((origin) => Type.Literal(origin))),
    `case when {${file}} ~ '^(label|report)/inventree/' then 'shipped' when {shipped} is not null then 'changed' else 'own' end`,
    {
      help: '`shipped` for a template that comes with the service, `changed` for one of them whose text was changed, `own` for any other.',
    },
  )

/** Records which built-in template is changed, so that it can be reset. */
export function recordBuiltIn(file: 'label' | 'template', { before, values, hidden }: Write): void {
  const [path, newPath] = [before?.[file], values[file]]
  if (typeof path !== 'string' || typeof newPath !== 'string' || newPath === path) return
  if (getBuiltInSource(path) !== undefined) hidden.shipped = path
}

/** The path of the built-in template that a row is, or was before it was changed; undefined for others. */
export const findBuiltInPath = (row: Readonly<Record<string, unknown>>, file: 'label' | 'template'): string | undefined =>
  [row[file], row.shipped].find((path): path is string => typeof path === 'string' && getBuiltInSource(path) !== undefined)
