class ReportsController < ApplicationController
  before_action :require_login

  ROOT = Rails.root.join("storage", "reports")

  def show
    path = ROOT.join(params[:year], params[:name])
    return head :not_found unless path.exist?

    send_file path, type: "application/pdf", disposition: "inline"
  end
end
