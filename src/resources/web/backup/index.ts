import { deleteBackup, makeOwnBackup } from './backup.action.ts'
import { listOwnBackups } from './backup.view.ts'
import { downloadBackup } from './download.action.ts'

export const backupActions = [listOwnBackups, makeOwnBackup, deleteBackup, downloadBackup]
