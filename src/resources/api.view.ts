import { Type } from 'typebox'
import { type Request, view } from '../kit/definition/action.ts'
import type { Shape } from '../kit/definition/input.ts'
import { everyone, staff } from '../kit/request/caller.ts'
import { instanceName } from './settings/instance-name.ts'

/** The version of the interface that existing clients ask for. */
export const API_VERSION = 196
/** The version of this program. */
export const VERSION = '0.1.0'

const nothing = Type.Null()
const textOrNull = Type.Union([Type.String(), nothing])

export const readRoot = view({
  path: '/api/',
  summary: 'What answers here',
  description:
    'The name and version of the service and of the interface, and what it can do. The fields from `system_health` on are told to staff alone, and null to others.',
  access: everyone,
  answer: Type.Object({
    server: Type.String(),
    version: Type.String(),
    instance: Type.String(),
    apiVersion: Type.Integer(),
    worker_running: Type.Boolean(),
    worker_pending_tasks: Type.Integer(),
    plugins_enabled: Type.Boolean(),
    plugins_install_disabled: Type.Boolean(),
    active_plugins: Type.Array(Type.Any()),
    email_configured: Type.Boolean(),
    debug_mode: Type.Boolean(),
    docker_mode: Type.Boolean(),
    default_locale: Type.String(),
    system_health: Type.Union([Type.Boolean(), nothing]),
    database: textOrNull,
    platform: textOrNull,
    installer: textOrNull,
    target: textOrNull,
  }),
  read({ config, caller, settings }: Request<Shape>) {
    const isStaff = staff(caller, 'view')
    return {
      server: config.wireForm === 'inventree' ? 'InvenTree' : 'Stockroom',
      version: VERSION,
      instance: instanceName({ config, settings }),
      apiVersion: API_VERSION,
      worker_running: true,
      worker_pending_tasks: 0,
      plugins_enabled: false,
      plugins_install_disabled: true,
      active_plugins: [],
      email_configured: config.smtpUrl !== undefined,
      debug_mode: false,
      docker_mode: false,
      default_locale: 'en-us',
      system_health: isStaff ? true : null,
      database: isStaff ? 'postgresql' : null,
      platform: isStaff ? `${process.platform} ${process.arch}` : null,
      installer: null,
      target: null,
    }
  },
})
