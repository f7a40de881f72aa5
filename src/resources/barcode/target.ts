import * as input from '../../kit/definition/input.ts'
import { type BarcodeKind, kinds } from './kinds.ts'
import { createForbiddenProblem } from './response.ts'
import type { ScanContext } from './scan-result.ts'

const createKeyOptions = (name: string) => ({ nullable: true, help: `The ${name}; empty for none.` })

/** Body fields that name the object to link a code to, one for each type. */
export const targetFields: input.Shape = Object.fromEntries(
  kinds.map(({ key, label, heading, resource }) => [
    key,
    input.reference(() => resource.table, {
      ...createKeyOptions(label),
      label: heading,
      api530: { metadata: { label: label.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()) } },
      options: { model: key, api_url: resource.path },
    }),
  ]),
)

export type Target = { kind: BarcodeKind; pk: number }

/** Returns the first object that a body names, by precedence of types. */
export function findTarget(body: Readonly<Record<string, unknown>>): Target | undefined {
  const kind = kinds.find(({ key }) => typeof body[key] === 'number')
  return kind && { kind, pk: body[kind.key] as number }
}

/** @throws Problem 403 for an account that may not change such objects */
export function requireChange(context: ScanContext, { kind }: Target): void {
  if (!kind.resource.access(context.caller, 'change')) throw createForbiddenProblem(context, kind.key)
}
