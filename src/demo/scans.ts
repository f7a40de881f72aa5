import type { Scene } from './happening.ts'

/** Codes that were scanned in the workshop. */
export async function scan({ client, keys }: Scene): Promise<void> {
  await client.post('storekeeper', '/api/barcode/link/', { barcode: 'SHELF-C', stocklocation: keys.get('location', 'Shelf C') })
}
