import { readFile } from 'node:fs/promises'
import { Type } from 'typebox'
import { Json, view } from '../../kit/definition/action.ts'
import { signedIn } from '../../kit/request/caller.ts'
import { Problem } from '../../kit/request/problem.ts'
import { isInstalledPackage, PACKED_LICENSES, ROOT } from '../../paths.ts'
import { serviceErrors } from '../service-errors.ts'
import { listInstalledPackages } from './installed.ts'

const packageSchema = Type.Object({
  name: Type.String({ description: 'The name of the package.' }),
  version: Type.String({ description: 'Its version.' }),
  license: Type.String({ description: 'Its license, as SPDX identifiers; empty for none.' }),
  licensetext: Type.String({ description: 'The text of the license; empty if the package has none.' }),
})

/** The response, created once: the installed packages do not change while the service runs. */
let cachedResponse: Promise<string> | undefined

/** An installed package knows the packages in its bundles, which are not installed. */
async function createResponse(): Promise<string> {
  const packages = isInstalledPackage ? JSON.parse(await readFile(PACKED_LICENSES, 'utf8')) : await listInstalledPackages(ROOT)
  return JSON.stringify({ backend: packages, frontend: [] })
}

export const readLicenses = view({
  path: '/api/license/',
  summary: 'List licences',
  description:
    'The installed third-party packages that the service runs with, each with its license. `frontend` is always empty.',
  access: signedIn,
  errors: { unavailable: 'The packages were not installed by npm, so that their list is missing.' },
  response: Type.Object({ backend: Type.Array(packageSchema), frontend: Type.Array(packageSchema) }),
  async read({ log }) {
    cachedResponse ??= createResponse()
    try {
      return new Json(await cachedResponse)
    } catch (error) {
      cachedResponse = undefined
      log.warn({ err: error }, 'could not read the licenses of the installed packages')
      throw new Problem('unavailable', serviceErrors.licenses_unknown)
    }
  },
})
