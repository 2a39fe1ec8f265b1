import { Body, Controller, Delete, Get, Param, ParseUUIDPipe, Patch, UseGuards } from '@nestjs/common';
import { JwtAuthGuard } from '../auth/jwt-auth.guard';
import { Roles } from '../auth/roles.decorator';
import { RolesGuard } from '../auth/roles.guard';
import { StaffService } from './staff.service';

@Controller('staff')
export class StaffController {
  constructor(private readonly staff: StaffService) {}

  @Get()
  @UseGuards(JwtAuthGuard)
  list() {
    return this.staff.list();
  }

  @Patch(':id')
  @UseGuards(JwtAuthGuard, RolesGuard)
  @Roles('manager')
  rename(@Param('id', ParseUUIDPipe) id: string, @Body('name') name: string) {
    return this.staff.rename(id, String(name).slice(0, 80));
  }

  @Delete(':id')
  @UseGuards(JwtAuthGuard, RolesGuard)
  @Roles('manager')
  remove(@Param('id', ParseUUIDPipe) id: string): Promise<void> {
    return this.staff.remove(id);
  }
}
