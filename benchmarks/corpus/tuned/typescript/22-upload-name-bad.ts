import { Controller, Post, UploadedFile, UseInterceptors, BadRequestException } from '@nestjs/common';
import { FileInterceptor } from '@nestjs/platform-express';
import { writeFile } from 'node:fs/promises';
import { join, extname } from 'node:path';
import { randomUUID } from 'node:crypto';

const FOLDER = '/srv/uploads';
const IMAGES = new Set(['.png', '.jpg']);

@Controller('images')
export class ImageController {
  @Post()
  @UseInterceptors(FileInterceptor('file', { limits: { fileSize: 1_000_000 } }))
  async upload(@UploadedFile() file: Express.Multer.File): Promise<{ name: string }> {
    if (!IMAGES.has(extname(file.originalname).toLowerCase())) {
      throw new BadRequestException('images only');
    }
    const name = file.originalname;
    await writeFile(join(FOLDER, name), file.buffer);
    return { name };
  }
}
