import { Type } from 'typebox'
import { Json, view } from '../../kit/definition/action.ts'
import { signedIn } from '../../kit/request/caller.ts'
import { Problem } from '../../kit/request/problem.ts'
import { ROOT } from '../../paths.ts'
import { serviceErrors } from '../service-errors.ts'
import { installedPackages } from './installed.ts'

const packageSchema = Type.Object({
  name: Type.String({ description: 'The name of the package.' }),
  version: Type.String({ description: 'Its version.' }),
  license: Type.String({ description: 'Its licence, by the names of SPDX; empty where it names none.' }),
  licensetext: Type.String({ description: 'The text of the licence; empty where the package brings none.' }),
})

/** What was installed does not change while the service runs: the answer is made once. */
let answer: Promise<string> | undefined

async function licences(): Promise<string> {
  return JSON.stringify({ backend: await installedPackages(ROOT), frontend: [] })
}

export const readLicenses = view({
  path: '/api/license/',
  summary: 'Licences',
  description:
    'The packages of others that are installed and that the service runs with, each with its licence. The service brings no web interface, so that `frontend` is empty.',
  access: signedIn,
  refuses: { unavailable: 'The packages were not installed by npm, so that nobody wrote down which there are.' },
  answer: Type.Object({ backend: Type.Array(packageSchema), frontend: Type.Array(packageSchema) }),
  async read({ log }) {
    answer ??= licences()
    try {
      return new Json(await answer)
    } catch (error) {
      answer = undefined
      log.warn({ err: error }, 'the licences of the installed packages could not be read')
      throw new Problem('unavailable', serviceErrors.licenses_unknown)
    }
  },
})
