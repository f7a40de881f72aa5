import * as input from '../../kit/definition/input.ts'
import type { Write } from '../../kit/definition/resource.ts'
import type { Errors } from '../../kit/request/errors.ts'
import { invalid, Problem } from '../../kit/request/problem.ts'
import { compare, type Decimal, toJsonNumber } from '../../kit/values/decimal.ts'
import { copyBom } from '../bom/copy-bom.ts'
import { trackByComponents } from '../bom/track-assemblies.ts'
import { company } from '../company/company.table.ts'
import { COMPANY_ROLE_RESTRICTIONS } from '../company/company-roles.ts'
import { defaultCurrency } from '../currency/rates.ts'
import { stockLocation } from '../stock/location/stock-location.table.ts'
import { createStockItems } from '../stock/movement/create-stock-items.ts'
import { validateStockWithPlugins } from '../stock/movement/plugin-validation.ts'
import { generateBatchCode } from '../stock/serial/new-batch-code.ts'
import { addCategoryParameters, copyParameters } from './parameter/new-parameters.ts'
import { part } from './part.table.ts'
import { partErrors } from './part-errors.ts'
import { ONLY_PARTS } from './part-flags.ts'

/** Fields that a new part copies from another one. */
export const duplicateInput = input.object(
  {
    part: input.reference(() => part, {
      required: true,
      options: { model: 'part', api_url: '/api/part/' },
      label: 'Original Part',
      help: 'The part to copy from.',
    }),
    copy_image: input.boolean({ default: false, label: 'Copy Image', help: 'Whether to copy the image.' }),
    copy_bom: input.boolean({
      default: false,
      label: 'Copy BOM',
      help: 'Whether to copy the BOM lines, without inherited ones.',
    }),
    copy_parameters: input.boolean({
      default: false,
      label: 'Copy Parameters',
      help: 'Whether to copy the parameters.',
    }),
    copy_notes: input.boolean({
      default: true,
      label: 'Copy Notes',
      help: 'Whether to copy the notes; they replace those that are sent.',
    }),
  },
  {
    label: 'Duplicate Part',
    help: 'What to copy from another part to a new part, in addition to the given fields. Ignored by an update.',
  },
)

/** Initial stock of a new part. */
export const initialStockInput = input.object(
  {
    quantity: input.quantity({
      required: true,
      label: 'Initial Stock Quantity',
      help: 'The quantity, in units of the part. With 0, no stock item is created.',
    }),
    location: input.reference(() => stockLocation, {
      nullable: true,
      options: { model: 'stocklocation', api_url: '/api/stock/location/' },
      label: 'Initial Stock Location',
      help: 'The location; empty for the default location of the part.',
    }),
  },
  {
    label: 'Initial Stock',
    help: 'The initial stock of a new part, created as one stock item. Ignored by an update.',
  },
)

const companyInput = (only: input.ReferenceRestriction, help: string) =>
  input.reference(() => company, { only, nullable: true, options: { model: 'company', api_url: '/api/company/' }, help })

/** Supplier and manufacturer of a new part, with their SKU and MPN. */
export const initialSupplierInput = input.object(
  {
    supplier: companyInput(COMPANY_ROLE_RESTRICTIONS.supplier, 'The supplier; empty for none.'),
    sku: input.text({
      max: 100,
      label: 'SKU',
      help: 'The SKU of the supplier, which must be new. Without one, no supplier part is created.',
    }),
    manufacturer: companyInput(COMPANY_ROLE_RESTRICTIONS.manufacturer, 'The manufacturer; empty for none.'),
    mpn: input.text({
      max: 100,
      label: 'MPN',
      help: 'The MPN of the manufacturer, which must be new. Without one, no manufacturer part is created.',
    }),
  },
  {
    label: 'Supplier Information',
    help: 'The supplier and manufacturer of a new part, which must be purchasable: creates a supplier part and a manufacturer part. Ignored by an update.',
  },
)

/** The part to duplicate, and what to copy from it. */
export type DuplicateOptions = {
  part: number
  copy_image: boolean
  copy_bom: boolean
  copy_notes: boolean
  copy_parameters: boolean
}
type InitialStock = { quantity: Decimal; location?: number | null }
type InitialSupplier = { supplier?: number | null; sku?: string; manufacturer?: number | null; mpn?: string }

/** Copies fields from the part to duplicate, and checks the rows to be created with the new part. */
export async function checkNewPart({ tx, caller, values, hidden, after, errors }: Write): Promise<void> {
  hidden.creation_user = caller.pk
  values.creation_user = undefined
  const duplicate = values.duplicate as DuplicateOptions | undefined
  if (duplicate) {
    const original = await tx.first<{ image: string | null; notes: string | null }>(
      'select image, notes from part where pk = $1 for share',
      [duplicate.part],
    )
    if (duplicate.copy_image) values.image = original?.image ?? null
    if (duplicate.copy_notes) values.notes = original?.notes ?? null
  }
  const { supplier, sku, manufacturer, mpn } = (values.initial_supplier ?? {}) as InitialSupplier
  const supplierErrors: Errors = {}
  if ((supplier || manufacturer) && !after('purchaseable'))
    supplierErrors[supplier ? 'supplier' : 'manufacturer'] = [NOT_PURCHASEABLE]
  if (supplier && sku && (await tx.first('select 1 from supplier_part where supplier = $1 and "SKU" = $2', [supplier, sku])))
    supplierErrors.sku = [partErrors.supplier_sku_taken]
  if (
    manufacturer &&
    mpn &&
    (await tx.first('select 1 from manufacturer_part where manufacturer = $1 and "MPN" = $2', [manufacturer, mpn]))
  )
    supplierErrors.mpn = [partErrors.manufacturer_mpn_taken]
  if (Object.keys(supplierErrors).length) errors.initial_supplier = supplierErrors
}

const NOT_PURCHASEABLE = ONLY_PARTS.purchaseable.error

/** Creates the rows that belong to a new part: its prices, still to be calculated, its parameters, its supplier part and its initial stock. */
export async function completeNewPart(write: Write, pk: number): Promise<void> {
  const currency = defaultCurrency(write)
  await write.tx.query(
    `insert into part_pricing (part, currency, updated, override_min_currency, override_max_currency) values ($1, $2, now(), $2, $2)`,
    [pk, currency],
  )
  const duplicate = write.values.duplicate as DuplicateOptions | undefined
  if (typeof write.values.variant_of === 'number') await trackByComponents(write.tx, pk)
  if (duplicate?.copy_bom) await copyBom(write.tx, duplicate.part, pk, COPY_OPTIONS)
  if (duplicate?.copy_parameters) await copyParameters(write.tx, duplicate.part, pk)
  if (write.values.copy_category_parameters !== false) await addCategoryParameters(write.tx, pk)
  await createSupplierPart(write, pk)
  await createInitialStock(write, pk)
}

/** Skips lines that the new part already inherits, and lines that it cannot have. */
const COPY_OPTIONS = { remove_existing: false, include_inherited: false, skip_invalid: true, copy_substitutes: true }

/** Ignores a supplier or manufacturer without a SKU or MPN for the part. */
async function createSupplierPart({ tx, values }: Write, pk: number): Promise<void> {
  const { supplier, sku, manufacturer, mpn } = (values.initial_supplier ?? {}) as InitialSupplier
  const manufacturerPart =
    manufacturer && mpn
      ? await tx.first<{ pk: number }>(
          'insert into manufacturer_part (part, manufacturer, "MPN") values ($1, $2, $3) returning pk',
          [pk, manufacturer, mpn],
        )
      : undefined
  if (supplier && sku)
    await tx.query(
      `insert into supplier_part (part, supplier, "SKU", manufacturer_part, pack_quantity, updated) values ($1, $2, $3, $4, '1', now())`,
      [pk, supplier, sku, manufacturerPart?.pk ?? null],
    )
}

async function createInitialStock(write: Write, pk: number): Promise<void> {
  const stock = write.values.initial_stock as InitialStock | undefined
  if (!stock || compare(stock.quantity, '0') <= 0) return
  const location = stock.location ?? (write.after('default_location') as number | null)
  const days = Number(write.after('default_expiry') ?? 0)
  const now = new Date()
  const item = {
    part: pk,
    quantity: stock.quantity,
    location,
    batch: (await generateBatchCode(write)) || null,
    expiry_date: days > 0 ? new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10) : null,
    history: { type: 'CREATED' as const, deltas: { status: 10, quantity: toJsonNumber(stock.quantity), location } },
  }
  try {
    await validateStockWithPlugins(write, [item], { batch: 'batch' })
    await createStockItems(write, [item])
  } catch (error) {
    if (error instanceof Problem && error.code === 'invalid') throw invalid({ initial_stock: error.body as Errors })
    throw error
  }
}

const DAY_MS = 24 * 60 * 60 * 1000
