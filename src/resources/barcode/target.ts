import * as input from '../../kit/definition/input.ts'
import { FieldError, texts } from '../../kit/request/errors.ts'
import { part } from '../part/part.table.ts'
import { forbidden } from './answer.ts'
import { type Kind, kinds } from './kinds.ts'
import type { Scanning } from './scan-result.ts'

const named = (of: string) => ({ nullable: true, help: `The ${of}, by its primary key; null for none.` })

const buildKind = input.reference(() => part, {
  ...named('build order'),
  label: 'Build Order',
  options: { model: 'build', api_url: '/api/build/' },
})

/** The fields of a body that names an object to link a code to, one for each kind. */
export const targetFields: input.Shape = {
  build: {
    ...buildKind,
    // builds are not kept yet
    read(value, reading, fail) {
      const pk = buildKind.read(value, { ...reading, references: [] }, fail)
      throw new FieldError(texts.reference(pk))
    },
  },
  ...Object.fromEntries(
    kinds.map(({ key, label, heading, resource }) => [
      key,
      input.reference(() => resource.table, {
        ...named(label),
        label: heading,
        options: { model: key, api_url: resource.path },
      }),
    ]),
  ),
}

export type Target = { kind: Kind; pk: number }

/** The first object that a body names, in the order of the kinds. */
export function targetOf(body: Readonly<Record<string, unknown>>): Target | undefined {
  const kind = kinds.find(({ key }) => typeof body[key] === 'number')
  return kind && { kind, pk: body[kind.key] as number }
}

/** @throws Problem 403 for an account that may not change such objects */
export function requireChange(context: Scanning, { kind }: Target): void {
  if (!kind.resource.access(context.caller, 'change')) throw forbidden(context, kind.key)
}
