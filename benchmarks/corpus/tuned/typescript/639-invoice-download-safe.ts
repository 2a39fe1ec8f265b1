import { Controller, Get, NotFoundException, Param, ParseIntPipe, Req, UseGuards } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { SessionGuard } from '../auth/session.guard';
import { Invoice } from './invoice.entity';

interface SignedInRequest {
  user: { id: number; name: string };
}

interface InvoiceView {
  number: string;
  total: string;
  lines: string[];
}

const toView = (invoice: Invoice): InvoiceView => ({
  number: invoice.number,
  total: (invoice.cents / 100).toFixed(2),
  lines: invoice.lines.map((line) => line.text),
});

@Controller('invoices')
@UseGuards(SessionGuard)
export class InvoiceController {
  constructor(@InjectRepository(Invoice) private readonly invoices: Repository<Invoice>) {}

  @Get()
  async list(@Req() request: SignedInRequest): Promise<InvoiceView[]> {
    const found = await this.invoices.find({ where: { customerId: request.user.id }, relations: ['lines'] });
    return found.map(toView);
  }

  @Get(':id')
  async show(@Param('id', ParseIntPipe) id: number, @Req() request: SignedInRequest): Promise<InvoiceView> {
    const invoice = await this.invoices.findOne({
      where: { id, customerId: request.user.id },
      relations: ['lines'],
    });
    if (!invoice) {
      throw new NotFoundException();
    }
    return toView(invoice);
  }
}
