import { Type } from 'typebox'
import { type Request, view } from '../kit/definition/action.ts'
import type { Shape } from '../kit/definition/input.ts'
import { everyone, staff } from '../kit/request/caller.ts'
import { instanceName } from '../settings/instance-name.ts'
import { setting } from '../settings/live.ts'
import { getApiVersion, VERSION } from '../version.ts'
import { isMailConfigured } from './email/plugin-delivery.ts'
import { getRegistry } from './plugins/plugin-registry.ts'

const nullType = Type.Null()
const text = (description: string) => Type.String({ description })
const textOrNull = (description: string) => Type.Union([Type.String(), nullType], { description })
const flag = (description: string) => Type.Boolean({ description })

export const readRoot = view({
  path: '/api/',
  summary: 'Get the server and API version',
  description:
    'The name and version of the service and of the API, and its features. The fields from `system_health` on are null unless the caller is staff.',
  access: everyone,
  response: Type.Object({
    server: text('The name of the program.'),
    id: Type.Optional(text('The identifier of this installation, while INVENTREE_ANNOUNCE_ID is on.')),
    version: text('The version of the program.'),
    instance: text('The name of this installation.'),
    apiVersion: Type.Integer({ description: 'The API version that existing clients know.' }),
    worker_running: flag('Whether background tasks are processed.'),
    worker_count: Type.Optional(Type.Integer({ description: 'Always 1: not measured.' })),
    worker_pending_tasks: Type.Integer({ description: 'Always 0: not measured.' }),
    plugins_enabled: flag('Always true: plugins can be enabled.'),
    plugins_install_disabled: flag('Whether plugin installation is disabled.'),
    active_plugins: Type.Array(Type.Object({ name: text('Its name.'), slug: text('Its key.'), version: text('Its version.') }), {
      description: 'The plugins that run on the responding node.',
    }),
    email_configured: flag('Whether a mail server, or a plugin that sends email, is configured.'),
    debug_mode: flag('Always false: there is no debug mode.'),
    docker_mode: flag('Always false: not detected.'),
    default_locale: text('The language of its texts.'),
    system_health: Type.Union([Type.Boolean(), nullType], { description: 'Whether the service is healthy.' }),
    database: textOrNull('The type of the database.'),
    platform: textOrNull('The operating system and the processor.'),
    installer: textOrNull('Always null: the installation method is unknown.'),
    target: textOrNull('Always null, likewise.'),
    django_admin: Type.Optional(Type.Null({ description: 'Always null: there is no other administration page.' })),
    customize: Type.Optional(
      Type.Object(
        {
          logo: text('Always empty: the console shows the logo itself.'),
          splash: text('Always empty.'),
          login_message: nullType,
          navbar_message: nullType,
          disable_theme_storage: flag('Always false.'),
        },
        { description: 'The appearance that web interfaces take, for clients of API 530.' },
      ),
    ),
    settings: Type.Optional(
      Type.Object(
        {
          sso_registration: flag('Whether accounts are created at single sign-on.'),
          registration_enabled: flag('Whether anyone can register.'),
          password_forgotten_enabled: flag('Whether forgotten passwords can be reset.'),
        },
        { description: 'Settings of the sign-in page, for clients of API 530.' },
      ),
    ),
  }),
  read({ config, caller, settings, plugins }: Request<Shape>) {
    const isStaff = staff(caller, 'view')
    const id = setting({ settings }, 'INVENTREE_ANNOUNCE_ID') && setting({ settings }, 'INVENTREE_INSTANCE_ID')
    return {
      server: config.wire.namesInvenTree ? 'InvenTree' : 'Stockroom',
      ...(id ? { id } : {}),
      version: VERSION,
      instance: instanceName({ config, settings }),
      apiVersion: getApiVersion(config.wire),
      worker_running: true,
      worker_pending_tasks: 0,
      plugins_enabled: true,
      plugins_install_disabled: !config.pluginsInstallEnabled,
      active_plugins: getRegistry({ plugins }).running.map(({ key, manifest: { name, version } }) => ({
        name,
        slug: key,
        version,
      })),
      email_configured: isMailConfigured({ config, plugins, settings }),
      debug_mode: false,
      docker_mode: false,
      default_locale: 'en-us',
      system_health: isStaff ? true : null,
      database: isStaff ? 'postgresql' : null,
      platform: isStaff ? `${process.platform} ${process.arch}` : null,
      installer: null,
      target: null,
      ...(config.wire.extendedFields && {
        worker_count: 1,
        django_admin: null,
        customize: { logo: '', splash: '', login_message: null, navbar_message: null, disable_theme_storage: false },
        settings: {
          sso_registration: setting({ settings }, 'LOGIN_ENABLE_SSO_REG'),
          registration_enabled: setting({ settings }, 'LOGIN_ENABLE_REG'),
          password_forgotten_enabled: setting({ settings }, 'LOGIN_ENABLE_PWD_FORGOT'),
        },
      }),
    }
  },
})
