import * as f from '../../kit/definition/field.ts'
import * as input from '../../kit/definition/input.ts'
import type { Resource, Write } from '../../kit/definition/resource.ts'
import { quote } from '../../kit/sql/sql.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { insertRow } from '../../kit/writing/write.ts'
import { PARAMETER_MODELS, type ParameterOwner } from './parameter-models.ts'

/** The object that a new one is a copy of, and what it gets from it. */
export type Duplicate = { original: number; copy_parameters: boolean; copy_lines?: boolean; copy_extra_lines?: boolean }

/** The field of a new object that names the one it is a copy of. `copied` are the further things that can be copied. */
export const duplicateField = (owner: ParameterOwner, copied: input.Shape = {}): f.Field => {
  const { table, model, path } = PARAMETER_MODELS[owner]
  return f.writeOnly(
    input.object({
      original: input.reference(table, {
        required: true,
        options: { model: model.slice(model.indexOf('.') + 1), api_url: path },
        label: 'Original',
        help: 'The object to copy from.',
      }),
      copy_parameters: input.boolean({ default: true, label: 'Copy Parameters', help: 'Whether to copy its parameters.' }),
      ...copied,
    }),
    { label: 'Duplication Options', help: 'What to copy from another object to a new one. Ignored by an update.' },
  )
}

/** Copies the parameters of an object to a new one of the same kind, without values that must be unique. */
export const copyParameters = (tx: Tx, owner: ParameterOwner, source: number, target: number): Promise<unknown> =>
  tx.query(
    `insert into parameter (${quote(owner)}, template, data, data_numeric, note, metadata)
     select $2, parameter.template, parameter.data, parameter.data_numeric, parameter.note, parameter.metadata
     from parameter join parameter_template template on template.pk = parameter.template
     where parameter.${quote(owner)} = $1 and template."unique" = 0 order by parameter.pk
     on conflict do nothing`,
    [source, target],
  )

/** Inserts a new object that is a copy of another one, with its parameters; leaves others to the resource. */
export const insertDuplicate =
  (owner: ParameterOwner, getResource: () => Resource) =>
  async (write: Write): Promise<number | undefined> => {
    const { original, copy_parameters: copiesParameters } = (write.values.duplicate ?? {}) as Partial<Duplicate>
    if (original === undefined || !copiesParameters) return undefined
    const pk = await insertRow(getResource(), write)
    await copyParameters(write.tx, owner, original, pk)
    return pk
  }
