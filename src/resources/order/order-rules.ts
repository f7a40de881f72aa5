import { getTableName } from 'drizzle-orm'
import type { Resource, Write } from '../../kit/definition/resource.ts'
import { insertRow } from '../../kit/writing/write.ts'
import { setting } from '../../settings/live.ts'
import { parseReferenceInteger } from '../../settings/reference-pattern.ts'
import { findCustomState } from '../generic/status/custom/custom-states.ts'
import { notify } from '../notifications/notify.ts'
import { copyParameters, type Duplicate } from '../parameter/duplicate.ts'
import type { ParameterOwner } from '../parameter/parameter-models.ts'
import { createReferenceValidator } from '../plugins/validation.ts'
import { serviceErrors } from '../service-errors.ts'
import { duplicateLines } from './duplicate-lines.ts'
import { getReferencePattern, reserveNextReference, suggestReference } from './next-reference.ts'
import { orderErrors } from './order-errors.ts'
import { getToday } from './order-fields.ts'
import { capitalize, type HeaderKind, hasPrices, type OrderKind } from './order-kind.ts'
import { recomputeTotals, totalCurrency } from './recompute-totals.ts'

type Rules = Required<
  Pick<
    Resource,
    'deletesExclusively' | 'constraints' | 'suggestValues' | 'completeBody' | 'reviewWrites' | 'rules' | 'insert' | 'afterUpdate'
  >
>

/** Checks and effects of writing every type of order, also without prices. `getResource` returns the resource of the type. */
export const headerRules = (kind: HeaderKind, getResource: () => Resource): Rules => ({
  deletesExclusively: true,
  constraints: {
    [`${getTableName(kind.table)}_reference_key`]: {
      reference: [orderErrors.order_reference_taken({ kind: capitalize(kind.name) })],
    },
  },
  suggestValues: async (services) => ({ reference: await suggestReference(services, kind) }),
  async completeBody({ services, tx, body }) {
    if (!services.config.wire.nextReference || body.reference !== undefined) return body
    return { ...body, reference: await reserveNextReference(services, tx, kind) }
  },
  reviewWrites: createReferenceValidator(kind.model),
  async rules(write) {
    checkHeader(kind, write)
    await checkCustomState(kind, write)
    checkDates(write)
    if (!write.before) write.hidden.created_by = write.caller.pk
  },
  async insert(write) {
    const { tx, values } = write
    const duplicate = values.duplicate as Duplicate | undefined
    const sourceOrder = duplicate?.original ?? (values.duplicate_order as number | null | undefined)
    // an order without lines has its total already
    if (!sourceOrder) return undefined
    const pk = await insertRow(getResource(), write)
    await duplicateLines(tx, kind, sourceOrder, pk, {
      lines: duplicate ? duplicate.copy_lines === true : values.duplicate_line_items === true,
      extraLines: duplicate ? duplicate.copy_extra_lines === true : values.duplicate_extra_lines === true,
    })
    if (duplicate?.copy_parameters) await copyParameters(tx, getTableName(kind.table) as ParameterOwner, sourceOrder, pk)
    if (hasPrices(kind)) await recomputeTotals(write, kind, [pk])
    return pk
  },
  async afterUpdate(write, pk) {
    if (hasPrices(kind)) await recomputeTotals(write, kind, [pk])
    const responsible = write.after('responsible')
    if (responsible !== null && responsible !== write.before?.responsible) await notify(write, 'responsible', kind.model, pk)
  },
})

/** The same for every type of order with prices. */
export function orderRules(kind: OrderKind, getResource: () => Resource): Rules {
  const rules = headerRules(kind, getResource)
  return {
    ...rules,
    async rules(write) {
      const { before, values, hidden, errors, referred } = write
      await rules.rules(write)
      if (write.after('contact') !== null && (await readContactCompany(write)) !== write.after(kind.company))
        errors.contact = [orderErrors.contact_of_other_company]
      if (write.config.wire.ownAddressesOnly && !(await hasOwnAddress(write, kind)))
        errors.address = [orderErrors.address_of_other_company]
      if (before) return
      const currency = referred[kind.company]?.currency as string | undefined
      hidden.total_price = '0'
      hidden.total_price_currency = totalCurrency(write, values.order_currency, currency)
    },
  }
}

/** Checks what the settings require of an order's own fields. Its reference matches their pattern already (`referenceField`). */
function checkHeader(kind: HeaderKind, write: Write): void {
  const { before, values, hidden, errors } = write
  // for existing clients (docs/configuration.md#wire-form)
  if (values.creation_date === null && write.config.wire.creationDateToday) values.creation_date = getToday()
  const reference = values.reference as string | undefined
  if (reference !== undefined && reference !== before?.reference)
    hidden.reference_int = parseReferenceInteger(getReferencePattern(write, kind), reference)
  if (setting(write, `${kind.settings}_REQUIRE_RESPONSIBLE`) && write.after('responsible') === null)
    errors.responsible = [orderErrors.responsible_required]
}

/** Rejects a custom state of another status than that of the order. */
async function checkCustomState({ states }: HeaderKind, { tx, before, values, errors }: Write): Promise<void> {
  const key = values.status_custom_key as number | null | undefined
  if (key === undefined || key === null || key === before?.status_custom_key) return
  const state = await findCustomState(tx, states.table, key)
  if (!state) errors.status_custom_key = [serviceErrors.custom_state_unknown]
  else if (state.logical_key !== (before?.status ?? PENDING))
    errors.status_custom_key = [serviceErrors.custom_state_of_other_status]
}

/** The status of a new order of any kind. */
const PENDING = 10

/** Rejects a start date after the target date, when one of them changes. Dates are compared as ISO texts. */
function checkDates({ before, after, errors }: Write): void {
  const [start, target] = [after('start_date') as string | null, after('target_date') as string | null]
  if (start === null || target === null || start <= target) return
  if (start === before?.start_date && target === before.target_date) return
  errors.start_date = [orderErrors.start_after_target]
  errors.target_date = [orderErrors.target_before_start]
}

/** Whether a new address is one of the company of the order. */
async function hasOwnAddress({ tx, values, after }: Write, kind: OrderKind): Promise<boolean> {
  if (typeof values.address !== 'number') return true
  const address = await tx.first<{ company: number }>('select company from address where pk = $1', [values.address])
  return !address || address.company === after(kind.company)
}

/** The company of the contact in the body, or of the stored one. */
async function readContactCompany({ tx, referred, after }: Write): Promise<unknown> {
  if (referred.contact) return referred.contact.company
  const contact = await tx.first<{ company: number }>('select company from contact where pk = $1', [after('contact')])
  return contact?.company
}
