import { Type } from 'typebox'
import { type Config, VARIABLES } from '../../../config.ts'
import { view } from '../../../kit/definition/action.ts'
import { envelopeSchema } from '../../../kit/definition/resource.ts'
import { buildPage, pageQuery } from '../../../kit/http/page.ts'
import { superuser } from '../../../kit/request/caller.ts'
import { notFound } from '../../../kit/request/problem.ts'

/** Time when this process read its settings. */
const READ_TIME = new Date(Date.now() - process.uptime() * 1_000).toISOString().replace(/\.\d+Z$/, 'Z')

const settingSchema = Type.Object({
  key: Type.String({ description: 'The name of the setting.' }),
  env_var: Type.String({ description: 'The environment variable that sets it.' }),
  config_key: Type.Null({ description: 'Always empty: there is no settings file.' }),
  source: Type.String({ description: '`env` if the variable is set, otherwise `default`.' }),
  accessed: Type.String({ format: 'date-time', description: 'The time at which it was read: the start of the process.' }),
})

const describeVariable = (name: string, { setVariables: configuredNames }: Config) => ({
  key: name,
  env_var: name,
  config_key: null,
  source: configuredNames.includes(name) ? 'env' : 'default',
  accessed: READ_TIME,
})

const listConfig = view({
  path: '/api/admin/config/',
  summary: 'List process settings',
  description:
    'All settings that the process reads from its environment, and whether each is set on the responding node. Values are not shown: some are secrets.',
  access: superuser,
  query: pageQuery,
  response: envelopeSchema(settingSchema),
  api530: { metadata: { config_key: { type: 'string' } } },
  read: (request) =>
    buildPage(
      VARIABLES.map((name) => JSON.stringify(describeVariable(name, request.config))),
      request,
    ),
})

const readConfig = view({
  path: '/api/admin/config/{key}/',
  summary: 'Get a process setting',
  description: 'Returns whether a process setting is set in the environment, without its value.',
  access: superuser,
  errors: { not_found: 'The setting does not exist.' },
  params: { key: 'The name of the setting, such as `LOG_LEVEL`.' },
  example: { params: { key: 'LOG_LEVEL' } },
  response: settingSchema,
  api530: { metadata: { config_key: { type: 'string' } } },
  read({ params: { key = '' }, config }) {
    if (!VARIABLES.includes(key)) throw notFound()
    return describeVariable(key, config)
  },
})

export const adminConfig = [listConfig, readConfig]
