class ExportsController < ApplicationController
  before_action :authenticate_user!

  KINDS = %w[CsvExport OdsExport PdfExport].freeze

  def new
    @kinds = KINDS
  end

  def create
    kind = params.require(:kind)
    exporter = kind.constantize.new(current_user)
    file = exporter.write(records)
    send_data file, filename: "records.#{exporter.extension}"
  end

  private

  def records
    current_user.records.order(:created_at).limit(5_000)
  end
end
