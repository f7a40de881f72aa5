import { Command, Option } from 'commander'
import { loadConfig } from './config.ts'
import { OperatorError } from './operator-error.ts'
import { VERSION } from './version.ts'

// Each command loads only its own modules, so that it does not wait for those of the others.
const program = new Command('stockroom')
  .description('Inventory management for workshops, labs, makers and small manufacturers. Settings: docs/configuration.md')
  .version(VERSION)
  .showHelpAfterError()

const UPDATE_HELP = `
A database of an older version is updated. If it holds data, a backup is made first, in BACKUP_DIR, in a folder whose name
ends with -before-update. If that backup or the update fails, the database is unchanged. A newer database is rejected.
To return to the previous version: see "stockroom restore --help".`

program
  .command('serve')
  .description('start the service, as without a command; an older database is backed up, then updated')
  .addHelpText('after', UPDATE_HELP)
  .action(async () => {
    const { serve } = await import('./main.ts')
    await serve(loadConfig())
  })

program
  .command('migrate')
  .description('update the database without starting the service; one that holds data is backed up first, as by "serve"')
  .addHelpText('after', UPDATE_HELP)
  .action(async () => {
    const { migrateCommand } = await import('./backup/migrate-command.ts')
    await migrateCommand(loadConfig())
  })

type ImportArguments = { skipInvalid: boolean; media?: string; from?: string; token?: string }

program
  .command('import')
  .description(
    'import a dump of an existing InvenTree, with no service running; repeat it to add kinds of which the database has no objects',
  )
  .argument('[file]', 'the dump: a JSON list of { model, pk, fields }')
  .option('--skip-invalid', 'import the valid records and report the others, instead of importing nothing', false)
  .option('--media <folder>', 'the media folder of that system, whose attachments and images are copied')
  .option('--from <url>', 'instead of a dump: the address of a running InvenTree, whose records and files are downloaded')
  .addOption(new Option('--token <token>', 'with --from: an API token of one of its superusers').env('IMPORT_TOKEN'))
  .action(async (file: string | undefined, { from, token, ...options }: ImportArguments) => {
    if (file !== undefined && from === undefined) {
      const { runImport } = await import('./importing/import.ts')
      await runImport(loadConfig(), file, options)
    } else if (from !== undefined && file === undefined) {
      if (options.media !== undefined) throw new OperatorError('--media belongs to a dump; --from downloads the files')
      const { runImportFromService } = await import('./importing/from-service/import-from-service.ts')
      await runImportFromService(loadConfig(), from, { token, ...options })
    } else throw new OperatorError('name either a dump, or with --from a service')
  })

program
  .command('check-clients')
  .description(
    'after an import: say what changes for clients, plugins, tokens, templates and settings; with or without a running service',
  )
  .argument('[dump]', 'the dump that was imported, to list its tokens, second factors and active plugins')
  .option('--json', 'print the result as JSON', false)
  .action(async (dump: string | undefined, options: { json: boolean }) => {
    const { checkClientsCommand } = await import('./check-clients-command.ts')
    await checkClientsCommand(loadConfig(), dump, options)
  })

program
  .command('demo')
  .description('load sample data of a small workshop into an empty database')
  .action(async () => {
    const { runDemo } = await import('./demo-command.ts')
    await runDemo(loadConfig())
  })

program
  .command('verify')
  .description('recalculate stock and list inconsistencies; with or without a running service')
  .option('--against <dump>', 'instead compare everything with an imported dump, before first use; with no service running')
  .action(async ({ against }: { against?: string }) => {
    if (against !== undefined) {
      const { compareDumpCommand } = await import('./compare-command.ts')
      if (!(await compareDumpCommand(loadConfig(), against))) process.exitCode = 1
      return
    }
    const { verifyCommand } = await import('./resources/stock/verification/verify-command.ts')
    // 1 means that the command could not run
    if (!(await verifyCommand(loadConfig()))) process.exitCode = 2
  })

program
  .command('doctor')
  .description('check the database, storage, mail, printing and settings, and say what to do; changes nothing')
  .option('--json', 'print the results as JSON', false)
  .action(async (options: { json: boolean }) => {
    const { doctorCommand } = await import('./doctor/doctor-command.ts')
    if (!(await doctorCommand(process.env, options))) process.exitCode = 1
  })

program
  .command('prices')
  .description('recalculate the prices of all parts; with or without a running service')
  .action(async () => {
    const { pricesCommand } = await import('./resources/part/pricing/prices-command.ts')
    await pricesCommand(loadConfig())
  })

program
  .command('backup')
  .description('write a backup to a new folder; with or without a running service; never changes the database')
  .argument('[into]', 'the parent folder of the new folder; BACKUP_DIR by default')
  .action(async (into?: string) => {
    const { backupCommand } = await import('./backup/backup-command.ts')
    await backupCommand(loadConfig(), into)
  })

program
  .command('restore')
  .description('restore a backup into a new DATA_DIR or an empty database, with no service running')
  .argument('<folder>', 'the folder of the backup')
  .option('--replace', 'restore into the present DATA_DIR: its database is renamed, and put back if the restore fails', false)
  .addHelpText(
    'after',
    `
A backup of an older version is updated after it was loaded; one of a newer version is rejected.
To return to the previous version after an update, install that version, stop the service, and run it with --replace
and the backup whose name ends with -before-update. With DATABASE_URL, restore into an empty database instead.`,
  )
  .action(async (folder: string, options: { replace: boolean }) => {
    const { restoreCommand } = await import('./backup/restore-command.ts')
    await restoreCommand(loadConfig(), folder, options)
  })

const files = program.command('files').description('stored files: move them to the bucket of S3_BUCKET, or back')
for (const [name, direction] of [
  ['to-bucket', 'from DATA_DIR/media into the bucket'],
  ['to-folder', 'from the bucket into DATA_DIR/media'],
] as const)
  files
    .command(name)
    .description(`copy all files ${direction}; with or without a running service; existing files are not copied again`)
    .option('--remove', 'delete each source file after it is copied', false)
    .action(async (options: { remove: boolean }) => {
      const { moveFiles } = await import('./move-files.ts')
      await moveFiles(loadConfig(), { to: name === 'to-bucket' ? 'bucket' : 'folder', ...options })
    })

const admin = program.command('admin').description('accounts with all permissions')
admin
  .command('create')
  .description('create a superuser; without options, from ADMIN_USERNAME, ADMIN_PASSWORD and ADMIN_EMAIL')
  .option('--username <name>')
  .option('--email <address>')
  .action(async (options: { username?: string; email?: string }) => {
    const { createAdmin } = await import('./resources/user/create-admin.ts')
    // the start of the service requires both or neither; here a missing one is an option, or is prompted for
    const { ADMIN_USERNAME, ADMIN_PASSWORD, ...environment } = process.env
    await createAdmin(loadConfig(environment), { username: ADMIN_USERNAME, password: ADMIN_PASSWORD, ...options })
  })

program
  .command('openapi')
  .description('print the OpenAPI document')
  .action(async () => {
    const { createOpenapiDocument } = await import('./app.ts')
    console.log(JSON.stringify(await createOpenapiDocument(loadConfig()), null, 2))
  })

try {
  const [node = '', file = '', ...words] = process.argv
  await program.parseAsync([node, file, ...(words.length === 0 ? ['serve'] : words)])
} catch (error) {
  // Errors that the operator can fix need no stack trace.
  console.error(error instanceof OperatorError ? `stockroom: ${error.message}` : error)
  process.exit(1)
}
