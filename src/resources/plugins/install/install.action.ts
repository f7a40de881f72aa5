import { Type } from 'typebox'
import { procedure, type Request } from '../../../kit/definition/action.ts'
import * as input from '../../../kit/definition/input.ts'
import { superuser } from '../../../kit/request/caller.ts'
import { invalid, invalidObject } from '../../../kit/request/problem.ts'
import { CannotInstall } from '../../../plugin-host/install/cannot-install.ts'
import { readPackageRequest, redact } from '../../../plugin-host/install/package-request.ts'
import { pluginErrors } from '../../../plugin-host/plugin-errors.ts'
import { registryOf } from '../registry-of.ts'

const text = (options: { max: number; label: string; help: string }) => input.text({ ...options, blank: true, default: '' })

const body = {
  url: text({
    max: 2000,
    label: 'Source URL',
    help: 'Where the package comes from: a repository (git+https://...), an archive or a folder (https://.../name.tgz, file:///...), or a registry; empty for the registry that npm is set to.',
  }),
  packagename: text({
    max: 500,
    label: 'Package Name',
    help: 'The name of the package, as npm knows it; a version may stand behind it, after @ or ==.',
  }),
  version: text({
    max: 100,
    label: 'Version',
    help: 'The version of the package, a range of versions or a tag, where a registry is asked for it. Empty: the latest.',
  }),
  confirm: input.boolean({
    required: true,
    label: 'Confirm plugin installation',
    help: 'Nothing is installed unless this is ticked.',
  }),
}

const told = (description: string) => Type.String({ description })

const sent = { packagename: Type.String(), version: Type.String(), url: Type.String(), confirm: Type.Boolean() }

/** Installs a package as a plugin. */
export const installPlugin = procedure({
  method: 'POST',
  path: '/api/plugins/install/',
  summary: 'Install a plugin, or another version of one',
  description:
    'Fetches a package with all that it depends on, without running any of it, tries whether it is a plugin that loads, and stores it in the database with all that it needs: every node has it from then on. A plugin that is new is off; one that was here keeps its settings, and runs in its new version when the answer comes. Meanwhile all other requests are answered with 503 and `Retry-After`. What fails leaves everything as it was. `PLUGINS_INSTALL_ENABLED` says whether it is allowed at all. Credentials in `url` are stored and logged nowhere.',
  refuses: {
    invalid:
      'It is not confirmed or not allowed here, what is asked for cannot be understood or fetched, the package depends on anything but packages of a registry, or it is no plugin that loads.',
    unavailable: 'Another plugin is being installed.',
  },
  example: { body: { packagename: 'stockroom-plugin-example', confirm: false }, status: 400 },
  access: superuser,
  status: 201,
  body,
  answer: Type.Object({
    ...sent,
    success: told('That it was installed.'),
    result: told('Where it lies, in the folder of the service.'),
    output: told('The packages that were fetched.'),
    input: Type.Object(sent, { description: 'What was asked for, without credentials.' }),
  }),
  async handle(request) {
    const { config, maintenance, caller } = request
    if (!request.body.confirm) throw invalid({ confirm: [pluginErrors.plugin_installation_not_confirmed] })
    const asked = readPackageRequest(request.body)
    if ('errors' in asked) throw invalid(asked.errors)
    if (!config.pluginsInstallEnabled) throw invalidObject(pluginErrors.plugin_installation_disabled)
    const registry = registryOf(request)
    const { place, output } = await maintenance.hold(async (lease) => {
      try {
        return await registry.packages.install(asked.request, caller.pk, lease)
      } catch (error) {
        throw refusal(error)
      }
    })
    // not before requests are answered again: a plugin may ask for something over the network as it starts
    await registry.follow()
    const echo = asSent(request)
    return {
      ...echo,
      success: 'Installed plugin successfully',
      result: `Installed plugin into ${place}`,
      output,
      input: { ...echo, url: redact(echo.url, asked.request) },
    }
  },
})

/** The fields as they came: with blanks at their ends. */
function asSent({ raw, body: values }: Pick<Request<typeof body>, 'raw' | 'body'>) {
  const as = (name: 'packagename' | 'version' | 'url') => String(raw[name] ?? values[name] ?? '')
  return { packagename: as('packagename'), version: as('version'), url: as('url'), confirm: values.confirm === true }
}

function refusal(error: unknown): unknown {
  if (!(error instanceof CannotInstall)) return error
  const lines = error.lines.map((line) => pluginErrors.plugin_installation_failed({ line }))
  return error.field ? invalid({ [error.field]: lines }) : invalidObject(...lines)
}
