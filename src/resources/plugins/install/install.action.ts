import { Type } from 'typebox'
import { procedure, type Request } from '../../../kit/definition/action.ts'
import * as input from '../../../kit/definition/input.ts'
import { superuser } from '../../../kit/request/caller.ts'
import { invalid, invalidObject } from '../../../kit/request/problem.ts'
import { InstallError } from '../../../plugin-host/install/cannot-install.ts'
import { readPackageRequest, redact } from '../../../plugin-host/install/package-request.ts'
import { pluginErrors } from '../../../plugin-host/plugin-errors.ts'
import { getRegistry, recordPluginChange } from '../plugin-registry.ts'

const text = (options: { max: number; label: string; help: string }) => input.text({ ...options, blank: true, default: '' })

const body = {
  url: text({
    max: 2000,
    label: 'Source URL',
    help: 'The source of the package: a repository (git+https://...), an archive or a directory (https://.../name.tgz, file:///...), or a registry; empty for the registry that npm is configured with.',
  }),
  packagename: text({
    max: 500,
    label: 'Package Name',
    help: 'The npm name of the package, optionally followed by a version after @ or ==.',
  }),
  version: text({
    max: 100,
    label: 'Version',
    help: 'The version of the package, a range of versions or a tag, for a package from a registry. Empty for the latest.',
  }),
  confirm: input.boolean({
    required: true,
    label: 'Confirm plugin installation',
    help: 'Confirms the installation; nothing is installed without it.',
  }),
}

const describedString = (description: string) => Type.String({ description })

const sentFields = { packagename: Type.String(), version: Type.String(), url: Type.String(), confirm: Type.Boolean() }

/** Installs a package as a plugin. */
export const installPlugin = procedure({
  method: 'POST',
  path: '/api/plugins/install/',
  summary: 'Install or update a plugin',
  description:
    'Fetches a package with all its dependencies, without running any of their code, checks that it is a plugin that can be loaded, and stores it in the database for all nodes. A new plugin is disabled; an existing one retains its settings and runs in the new version when the response is sent. During the installation, all other requests get 503 with `Retry-After`. A failed installation changes nothing. `PLUGINS_INSTALL_ENABLED` controls whether installation is allowed. Credentials in `url` are neither stored nor logged.',
  errors: {
    invalid:
      'The installation is not confirmed or not allowed, the source is invalid or cannot be fetched, the package depends on something other than registry packages, or it is not a plugin that can be loaded.',
    unavailable: 'Another installation is running.',
  },
  example: { body: { packagename: 'stockroom-plugin-example', confirm: false }, status: 400 },
  access: superuser,
  status: 201,
  body,
  response: Type.Object({
    ...sentFields,
    success: describedString('A confirmation.'),
    result: describedString('Its location in the data directory.'),
    output: describedString('The packages that were fetched.'),
    input: Type.Object(sentFields, { description: 'The requested source, without credentials.' }),
  }),
  async handle(request) {
    const { config, maintenance, caller } = request
    if (!request.body.confirm) throw invalid({ confirm: [pluginErrors.plugin_installation_not_confirmed] })
    const packageRequest = readPackageRequest(request.body)
    if ('errors' in packageRequest) throw invalid(packageRequest.errors)
    if (!config.pluginsInstallEnabled) throw invalidObject(pluginErrors.plugin_installation_disabled)
    const registry = getRegistry(request)
    const { place: installedPath, output } = await maintenance.hold(async (lease) => {
      try {
        return await registry.packages.install(packageRequest.request, caller.pk, lease)
      } catch (error) {
        throw toProblem(error)
      }
    })
    await request.database.transaction((tx) =>
      recordPluginChange({ ...request, tx }, { installed: packageRequest.request.requirement }),
    )
    // only once requests are served again: a plugin may make a request over the network as it starts
    await registry.followDatabase()
    const echo = readRawInput(request)
    return {
      ...echo,
      success: 'Installed plugin successfully',
      result: `Installed plugin into ${installedPath}`,
      output,
      input: { ...echo, url: redact(echo.url, packageRequest.request) },
    }
  },
})

/** Returns the fields as sent, including leading and trailing blanks. */
function readRawInput({ raw, body: values }: Pick<Request<typeof body>, 'raw' | 'body'>) {
  const readField = (name: 'packagename' | 'version' | 'url') => String(raw[name] ?? values[name] ?? '')
  return {
    packagename: readField('packagename'),
    version: readField('version'),
    url: readField('url'),
    confirm: values.confirm === true,
  }
}

function toProblem(error: unknown): unknown {
  if (!(error instanceof InstallError)) return error
  const lines = error.lines.map((line) => pluginErrors.plugin_installation_failed({ line }))
  return error.field ? invalid({ [error.field]: lines }) : invalidObject(...lines)
}
