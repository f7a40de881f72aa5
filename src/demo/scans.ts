import type { DemoContext, DemoEvent } from './past-event.ts'

const STOREKEEPER = 'storekeeper'
const YESTERDAY = -1

/** Barcodes that were scanned in the workshop. */
export const listScanEvents = (context: DemoContext): DemoEvent[] => [{ day: YESTERDAY, run: () => scanBarcodes(context) }]

async function scanBarcodes({ client, keys, calendar }: DemoContext): Promise<void> {
  const shelf = keys.get('location', 'Shelf C')
  await client.post(STOREKEEPER, '/api/barcode/link/', { barcode: 'SHELF-C', stocklocation: shelf })
  const [item] = await client.list(STOREKEEPER, '/api/stock/', { location: keys.get('location', 'Cable rack'), ordering: 'pk' })
  const barcode = `{"stockitem": ${item.pk}}`
  const time = `${calendar.formatDay(YESTERDAY)}T08:00:00Z`
  await client.post(STOREKEEPER, '/api/barcode/batch/', {
    items: [
      { id: 'cable-rack-1', time, action: 'scan', barcode },
      { id: 'cable-rack-2', time, action: 'move', barcode, location_barcode: 'SHELF-C' },
    ],
  })
}
