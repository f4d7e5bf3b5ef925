import type { Context } from '../../platform/database/context.ts';
import type { StaffEndpoint } from '../../platform/http/endpoint.ts';
import { closedDays } from './closed-day-setting.ts';
import { timeSlots } from './time-slot-setting.ts';

/** The settings of time slots. */
export function slotSettingRoutes(context: Context): StaffEndpoint[] {
  return [...timeSlots.routes(context), ...closedDays.routes(context)];
}
