import { Type } from 'typebox'
import { procedure } from '../../../kit/definition/action.ts'
import { superuser } from '../../../kit/request/caller.ts'

const STATUSES = ['ok', 'warning', 'error', 'skipped']
const status = (description: string) => Type.String({ enum: STATUSES, description })

export const checkHealth = procedure({
  method: 'POST',
  path: '/api/web/health/',
  summary: 'Check the installation',
  description:
    'Checks what the service depends on, as `stockroom doctor` does: the database, background tasks, storage, disk space, mail, printing, clock, time zone and public URL. It changes nothing, takes some seconds, and shows no secret. Requests at the same time get the same result.',
  access: superuser,
  status: 200,
  worksOnFullDisk: true,
  response: Type.Object({
    checked: Type.String({ format: 'date-time', description: 'When the checks ended.' }),
    checks: Type.Array(
      Type.Object({
        name: Type.String({ description: 'The name of the check.' }),
        title: Type.String({ description: 'Its title.' }),
        status: status('The worst status of its findings.'),
        findings: Type.Array(
          Type.Object({
            status: status('`skipped`: not known, because something else is missing.'),
            message: Type.String({ description: 'What is right or wrong.' }),
            advice: Type.Optional(Type.String({ description: 'What to do about a warning or an error.' })),
          }),
        ),
      }),
    ),
  }),
  handle: async ({ inspectInstallation }) => ({ checks: await inspectInstallation(), checked: new Date().toISOString() }),
})
