class LogosController < ApplicationController
  before_action :authenticate_user!

  def create
    upload = params.require(:logo)
    name = File.basename(upload.original_filename)
    File.binwrite(Rails.public_path.join("logos", name), upload.read)
    redirect_to settings_path
  end
end
