import { Controller, Delete, Get, HttpCode, Param, ParseIntPipe, UseGuards } from '@nestjs/common';
import { Roles } from '../auth/roles.decorator';
import { RolesGuard } from '../auth/roles.guard';
import { SessionGuard } from '../auth/session.guard';
import { TariffService } from './tariff.service';

@Controller('tariffs')
@UseGuards(SessionGuard)
export class TariffController {
  constructor(private readonly tariffs: TariffService) {}

  @Get()
  list() {
    return this.tariffs.published();
  }

  @Delete('admin/:id')
  @UseGuards(RolesGuard)
  @Roles('admin')
  @HttpCode(204)
  async remove(@Param('id', ParseIntPipe) id: number): Promise<void> {
    await this.tariffs.removeForEveryone(id);
  }
}
