import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

/**
 * node bench/import.ts [--records 1000000]
 *
 * Writes a dump of InvenTree 1.5 with about that number of records, imports it into a fresh database, and prints the time and the peak of
 * the importing process's memory. The embedded PostgreSQL needs its own memory in addition.
 */
const { values: options } = parseArgs({ options: { records: { type: 'string', default: '1000000' } } })

type DumpRecord = { model: string; pk: number; fields: Record<string, unknown> }

/** Numbers of records per hundred parts. */
const PER_HUNDRED = {
  supplierParts: 100,
  bomLines: 120,
  parameters: 200,
  items: 250,
  history: 350,
  orderLines: 60,
  salesLines: 20,
}

const pick = (index: number, count: number): number => 1 + (index % count)
const USER = ['admin']
const TIME = '2026-03-01T12:00:00.123Z'

/** A workshop in the order of an export: history last, most records before those that they refer to. */
function* generateRecords(total: number): Generator<DumpRecord> {
  const hundreds = Math.max(1, Math.round(total / (100 + Object.values(PER_HUNDRED).reduce((sum, count) => sum + count, 0))))
  const counts = Object.fromEntries(
    Object.entries(PER_HUNDRED).map(([name, count]) => [name, count * hundreds]),
  ) as typeof PER_HUNDRED
  const parts = 100 * hundreds
  const [locations, categories, companies, orders] = [400, 200, 300, Math.ceil(parts / 50)]
  const make = (model: string, pk: number, fields: DumpRecord['fields']) => ({ model, pk, fields: { metadata: {}, ...fields } })
  const list = function* (model: string, count: number, toFields: (pk: number) => DumpRecord['fields']) {
    for (let pk = 1; pk <= count; pk++) yield make(model, pk, toFields(pk))
  }
  yield make('auth.user', 1, { username: 'admin', password: 'pbkdf2_sha256$1$salt$hash', is_superuser: true, groups: [] })
  yield* list('stock.stockitem', counts.items, (pk) => ({
    part: pick(pk, parts),
    location: pick(pk, locations),
    quantity: `${pick(pk, 500)}.00000`,
    serial: null,
    serial_int: 0,
    batch: pk % 3 ? null : `B-${pk}`,
    // one chain of thousands of splits, which are loaded one after the other
    parent: pk % 20 || pk < 40 ? null : pk - 20,
    status: 10,
    purchase_price: '0.123400',
    purchase_price_currency: 'EUR',
    supplier_part: pick(pk, parts),
    updated: TIME,
    creation_date: TIME,
    link: '',
    packaging: null,
    notes: pk % 10 ? null : 'Found in the second drawer, counted twice.',
    owner: null,
    barcode_data: '',
    barcode_hash: '',
  }))
  yield* list('part.part', parts, (pk) => ({
    name: `Resistor ${pk} 0402`,
    description: `Thick film resistor of ${pk} ohm, 1 %, 62.5 mW`,
    IPN: `R-${pk}`,
    revision: '',
    keywords: 'resistor smd',
    category: pick(pk, categories),
    units: '',
    active: true,
    assembly: pk % 10 === 0,
    component: true,
    purchaseable: true,
    salable: pk % 5 === 0,
    minimum_stock: '10.000000',
    creation_date: '2026-01-02',
    creation_user: USER,
    link: 'https://example.com/datasheet.pdf',
    image: '',
    notes: null,
  }))
  yield* list('part.partcategory', categories, (pk) => ({ name: `Category ${pk}`, parent: pk > 20 ? pick(pk, 20) : null }))
  yield* list('stock.stocklocation', locations, (pk) => ({ name: `Shelf ${pk}`, parent: pk > 20 ? pick(pk, 20) : null }))
  yield* list('company.company', companies, (pk) => ({
    name: `Company ${pk}`,
    currency: 'EUR',
    is_supplier: true,
    is_customer: true,
  }))
  yield* list('company.supplierpart', counts.supplierParts, (pk) => ({
    part: pick(pk - 1, parts),
    supplier: pick(pk, companies),
    SKU: `SKU-${pk}`,
    description: 'Reel of 5000',
    pack_quantity: '1',
    pack_quantity_native: '1.0000000000',
    primary: true,
    active: true,
  }))
  yield* list('common.parametertemplate', 20, (pk) => ({
    name: `Parameter ${pk}`,
    units: pk % 2 ? 'ohm' : '',
    model_type: null,
    enabled: true,
  }))
  yield* list('common.parameter', counts.parameters, (pk) => ({
    model_type: ['part', 'part'],
    model_id: 1 + (((pk - 1) >> 1) % parts),
    template: pick(pk, 20),
    data: `${pick(pk, 1000)}`,
    data_numeric: pick(pk, 1000),
    note: '',
    updated: TIME,
    updated_by: USER,
  }))
  yield* list('part.bomitem', counts.bomLines, (pk) => {
    const assembly = 10 * pick(Math.floor((pk - 1) / 12), parts / 10)
    return {
      part: assembly,
      // a part that is no assembly, so that no BOM is in a circle
      sub_part: (assembly + ((pk % 12) + 1) * 10 - (1 + (pk % 9))) % parts || 1,
      quantity: `${pick(pk, 20)}.00000`,
      reference: `R${pk}`,
      setup_quantity: '0.00000',
      attrition: '0.000000',
      rounding_multiple: null,
      validated: false,
      checksum: '',
    }
  })
  yield* list('order.purchaseorder', orders, (pk) => ({
    reference: `PO-${pk}`,
    reference_int: pk,
    status: pk % 3 ? 30 : 20,
    supplier: pick(pk, companies),
    description: 'Monthly order',
    creation_date: '2026-02-01',
    created_by: USER,
    total_price: '100.000000',
    total_price_currency: 'EUR',
  }))
  yield* list('order.purchaseorderlineitem', counts.orderLines, (pk) => ({
    order: pick(pk, orders),
    part: pick(pk, parts),
    quantity: '100.00000',
    received: pick(pk, orders) % 3 ? '100.00000' : '0.00000',
    purchase_price: '0.010000',
    purchase_price_currency: 'EUR',
    discount: '0.00',
  }))
  yield* list('order.salesorder', orders, (pk) => ({
    reference: `SO-${pk}`,
    reference_int: pk,
    status: 15,
    customer: pick(pk, companies),
    description: 'Spare parts',
    creation_date: '2026-02-01',
    created_by: USER,
  }))
  yield* list('order.salesorderlineitem', counts.salesLines, (pk) => ({
    order: pick(pk, orders),
    part: pick(pk, parts),
    quantity: '5.00000',
    shipped: '0.00000',
    sale_price: '1.500000',
    sale_price_currency: 'EUR',
    discount: '0.00',
  }))
  yield* list('stock.stockitemtracking', counts.history, (pk) => ({
    item: pick(pk, counts.items),
    part: pick(pk, parts),
    tracking_type: 20,
    date: TIME,
    user: USER,
    notes: '',
    deltas: { location: pick(pk, locations), quantity: 1.5 },
  }))
}

async function writeDump(path: string, total: number): Promise<number> {
  const file = createWriteStream(path)
  let count = 0
  file.write(`[${JSON.stringify({ metadata: true, source_version: '1.5.0', api_version: 530 })}`)
  for (const record of generateRecords(total)) {
    count++
    if (!file.write(`,\n${JSON.stringify(record, null, 2)}`)) await once(file, 'drain')
  }
  file.end('\n]\n')
  await once(file, 'close')
  return count
}

/** Runs the import, and returns its seconds and the peak of its memory in MB, as Linux counts it. */
async function runImport(dump: string, dataDir: string): Promise<{ seconds: number; peakMb: number }> {
  const started = performance.now()
  const child = spawn(process.execPath, ['src/stockroom.js', 'import', dump], {
    cwd: join(import.meta.dirname, '..'),
    env: { ...process.env, DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  let peakMb = 0
  const timer = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      peakMb = Math.max(peakMb, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
    } catch {
      // it has ended
    }
  }, 200)
  const [code] = await once(child, 'exit')
  clearInterval(timer)
  if (code !== 0) throw new Error(`the import ended with ${code}`)
  return { seconds: (performance.now() - started) / 1000, peakMb }
}

const folder = mkdtempSync(join(tmpdir(), 'stockroom-bench-import-'))
try {
  const dump = join(folder, 'dump.json')
  const count = await writeDump(dump, Number(options.records))
  console.log(`${count} records, ${Math.round(statSync(dump).size / 1e6)} MB`)
  const { seconds, peakMb } = await runImport(dump, join(folder, 'data'))
  console.log(`${seconds.toFixed(0)} s, ${peakMb.toFixed(0)} MB`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
