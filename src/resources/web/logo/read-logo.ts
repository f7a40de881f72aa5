import type { RunQuery } from '../../../kit/sql/run-query.ts'

/** The public URL of the logo. */
export const LOGO_PATH = '/api/web/logo/'

/** The URL of the logo, which differs with its content; null without one. */
export async function readLogoUrl(query: RunQuery): Promise<string | null> {
  const [row] = await query<{ digest: string }>('select digest from instance_logo', [])
  return row ? `${LOGO_PATH}?version=${row.digest.slice(0, 16)}` : null
}

/** The logo as a PNG, with its version; undefined without one. */
export async function readLogo(query: RunQuery): Promise<{ image: Buffer; version: string } | undefined> {
  const [row] = await query<{ image: Buffer; digest: string }>('select image, digest from instance_logo', [])
  return row && { image: row.image, version: row.digest.slice(0, 16) }
}
